#include "kernels/cpu.h"

unsigned cpu_features(void)
{
	return 0;
}
