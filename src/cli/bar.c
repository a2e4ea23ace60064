#include "cli/bar.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/sys.h"

enum { WIDTH = 24, INTERVAL_MS = 100 };

struct bar bar_begin(void)
{
	return (struct bar){.line = status_line_begin()};
}

void bar_show(struct bar *bar, uint64_t done, uint64_t all, const char *name, size_t len)
{
	double part = all ? (double)done / (double)all : 1;
	uint64_t now = sys_now_ms();
	struct buf line = {.max = KIB(4)};

	if (!bar->line.is_shown || now - bar->drawn < INTERVAL_MS)
		return;
	for (size_t i = 0; i < WIDTH; i++)
		buf_putc(&line, i < (size_t)(part * WIDTH) ? '#' : '.');
	buf_printf(&line, " %3.0f %%  ", 100 * part);
	buf_append(&line, name, len < KIB(1) ? len : KIB(1));
	status_line_show(&bar->line, buf_text(&line));
	buf_free(&line);
	bar->drawn = now;
}

void bar_progress(void *ctx, size_t done, size_t all)
{
	struct bar *bar = ctx;

	bar_show(bar, done, all, bar->name, strlen(bar->name));
}

void bar_end(struct bar *bar)
{
	status_line_clear(&bar->line);
}
