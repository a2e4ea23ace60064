#include "kept/kept.h"

const char *kept_cut_name(unsigned cut_by)
{
	(void)cut_by;
	return NULL;
}
