#include "view/status.h"

#include <stdio.h>
#include <string.h>

#include "terminal/wrap.h"

enum { GAUGE_CELLS = 8, FETCHING_COLS_MIN = 64 };

/* What is left out when the bar is narrow: the lowest first. */
enum priority {
	PRIORITY_TEMPLATE, PRIORITY_SERVER, PRIORITY_HINT, PRIORITY_GAUGE, PRIORITY_MOUSE, PRIORITY_SPEED,
	PRIORITY_PROMPT, PRIORITY_MODEL,
	PRIORITY_CONTEXT, PRIORITY_PLACE, PRIORITY_BADGE, PRIORITY_FETCHING, PRIORITY_STATE, PRIORITY_UNVERIFIED,
};

struct draft {
	struct status_span *spans;
	size_t n;
};

static void add(struct draft *draft, enum priority priority, enum theme_role role, bool right,
                const char *text)
{
	struct status_span *span = &draft->spans[draft->n++];

	span->role = role;
	span->right = right;
	span->priority = priority;
	snprintf(span->text, sizeof span->text, "%s", text);
}

/* A model's name comes from its file, and what is waited for from a server: they may be long, and contain
 * anything. */
static void add_foreign(struct draft *draft, enum priority priority, const char *name, int cols)
{
	char text[STATUS_SPAN_MAX];
	size_t n = strlen(name), at = 0;
	struct safe_piece piece;
	int width = 0;

	while (sanitize_next(name, n, at, &piece)) {
		int more = cells_piece_width(&piece, width);

		if (width + more > cols - 1 && (piece.end < n || width + more > cols))
			break;
		if (piece.end > sizeof text - 4)
			break;
		width += more;
		at = piece.end;
	}
	snprintf(text, sizeof text, "%.*s%s", (int)at, name, at < n ? "\342\200\246" : "");
	add(draft, priority, STYLE_STATUS, false, text);
}

static void state_text(const struct status_info *info, char *text, size_t size)
{
	static const char *const names[] = {
		[STATE_NO_MODEL] = "no model", [STATE_LOADING] = "loading", [STATE_READY] = "ready",
		[STATE_PREFILL] = "reading", [STATE_GENERATING] = "writing",
		[STATE_STOPPING] = "stopping", [STATE_FAILED] = "error",
	};

	if (info->state == STATE_LOADING)
		snprintf(text, size, "loading %d%%", (int)(info->load_fraction * 100.0f));
	else if (info->state == STATE_PREFILL && info->prefill_total)
		snprintf(text, size, "reading %u/%u", info->prefill_done, info->prefill_total);
	else
		snprintf(text, size, "%s", names[info->state]);
}

static enum theme_role gauge_role(const struct status_info *info)
{
	double full = (double)info->ctx_used / (double)info->ctx_total;

	return full >= 0.95 ? STYLE_GAUGE_FULL : full >= 0.75 ? STYLE_GAUGE_WARN : STYLE_GAUGE_OK;
}

static void gauge_text(const struct status_info *info, char *text)
{
	uint64_t cells = ((uint64_t)info->ctx_used * GAUGE_CELLS + info->ctx_total - 1) /
	                 info->ctx_total;

	text[0] = '\0';
	for (uint64_t i = 0; i < GAUGE_CELLS; i++)
		memcpy(text + 3 * i, i < cells ? "\342\226\210" : "\342\226\221", 4); /* █ ░ */
}

static int total_width(const struct draft *draft)
{
	int width = 2; /* a blank at each end */

	for (size_t i = 0; i < draft->n; i++)
		width += cells_text_width(draft->spans[i].text) + 2;
	return width - 2;
}

static void fit(struct draft *draft, int cols)
{
	struct status_span *spans = draft->spans;

	while (draft->n > 1 && total_width(draft) > cols) {
		size_t least = 0;

		for (size_t i = 1; i < draft->n; i++)
			if (spans[i].priority < spans[least].priority)
				least = i;
		draft->n--;
		memmove(&spans[least], &spans[least + 1], (draft->n - least) * sizeof *spans);
	}
}

static void add_state(struct draft *draft, const struct status_info *info)
{
	char text[STATUS_SPAN_MAX];

	if (info->waiting && info->waiting[0] && info->state != STATE_STOPPING) {
		add_foreign(draft, PRIORITY_STATE, info->waiting, STATUS_WAITING_COLS);
		return;
	}
	state_text(info, text, sizeof text);
	add(draft, PRIORITY_STATE, info->state == STATE_FAILED ? STYLE_GAUGE_FULL : STYLE_STATUS, false, text);
}

/* In full, or where there is little room how many hundredths. */
static void add_fetching(struct draft *draft, const struct status_info *info, int cols)
{
	char text[STATUS_SPAN_MAX];

	if (!info->fetching || !info->fetching[0])
		return;
	if (cols >= FETCHING_COLS_MIN)
		snprintf(text, sizeof text, "\342\206\223 %s", info->fetching); /* ↓ */
	else if (info->fetching_percent >= 0)
		snprintf(text, sizeof text, "\342\206\223 %d %%", info->fetching_percent);
	else
		snprintf(text, sizeof text, "\342\206\223");
	add_foreign(draft, PRIORITY_FETCHING, text, STATUS_WAITING_COLS);
}

/* How full the context is, as far as that is known. */
static void add_context(struct draft *draft, const struct status_info *info)
{
	const char *about = info->is_estimated && info->ctx_used ? "~" : "";
	enum theme_role role = info->ctx_total ? gauge_role(info) : STYLE_GAUGE_OK;
	char text[STATUS_SPAN_MAX];

	if (info->ctx_total) {
		gauge_text(info, text);
		add(draft, PRIORITY_GAUGE, role, true, text);
		snprintf(text, sizeof text, "%s%u/%u", about, info->ctx_used, info->ctx_total);
	} else {
		snprintf(text, sizeof text, "%s%u token%s", about, info->ctx_used, info->ctx_used == 1 ? "" : "s");
	}
	if (info->ctx_total || info->ctx_used)
		add(draft, PRIORITY_CONTEXT, role == STYLE_GAUGE_OK ? STYLE_STATUS : role, true, text);
}

size_t status_compose(const struct status_info *info, int cols,
                      struct status_span spans[STATUS_SPANS])
{
	struct draft draft = {.spans = spans};
	char text[STATUS_SPAN_MAX];

	if (info->model && info->model[0])
		add_foreign(&draft, PRIORITY_MODEL, info->model, STATUS_MODEL_COLS);
	if (info->server && info->server[0]) {
		snprintf(text, sizeof text, "on %s", info->server);
		add(&draft, PRIORITY_SERVER, STYLE_STATUS, false, text);
	}
	if (info->is_unverified)
		add(&draft, PRIORITY_UNVERIFIED, STYLE_GAUGE_WARN, false, "not verified");
	if (info->template && info->template[0] && info->model && info->model[0])
		add(&draft, PRIORITY_TEMPLATE, STYLE_STATUS, false, info->template);
	if (info->prompt)
		add(&draft, PRIORITY_PROMPT, STYLE_STATUS, false, info->prompt);
	add_state(&draft, info);
	add_fetching(&draft, info, cols);
	if (info->not_saved)
		add(&draft, PRIORITY_BADGE, STYLE_GAUGE_FULL, false, "NOT SAVED");
	if (info->no_save)
		add(&draft, PRIORITY_BADGE, STYLE_STATUS_BADGE, false, "no-save");
	if (info->n_hidden) {
		snprintf(text, sizeof text, "%zu hidden", info->n_hidden);
		add(&draft, PRIORITY_BADGE, STYLE_GAUGE_WARN, false, text);
	}
	if (info->mouse)
		add(&draft, PRIORITY_MOUSE, STYLE_STATUS_BADGE, false, "mouse");
	if (info->is_back) {
		snprintf(text, sizeof text, "at %d%%", info->percent);
		add(&draft, PRIORITY_PLACE, STYLE_STATUS, true, text);
	}
	if (info->hint && info->hint[0]) /* while a server is waited for, how to stop that is worth more */
		add(&draft, info->waiting && info->waiting[0] ? PRIORITY_SPEED : PRIORITY_HINT, STYLE_STATUS, false, info->hint);
	if (info->tokens_per_second > 0) {
		snprintf(text, sizeof text, info->tokens_per_second < 100 ? "%.1f tok/s" : "%.0f tok/s",
		         info->tokens_per_second);
		add(&draft, PRIORITY_SPEED, STYLE_STATUS, true, text);
	}
	add_context(&draft, info);
	fit(&draft, cols);
	return draft.n;
}

void status_draw(WINDOW *win, int y, int cols, const struct status_info *info)
{
	struct status_span spans[STATUS_SPANS];
	size_t n = status_compose(info, cols, spans);
	int left = 1, right = cols - 1;

	cells_fill(win, y, 0, cols, STYLE_STATUS);
	for (size_t i = 0; i < n; i++)
		if (spans[i].right)
			right -= cells_text_width(spans[i].text) + 2;
	right += 2;
	for (size_t i = 0; i < n; i++) {
		int *x = spans[i].right ? &right : &left;

		*x += cells_puts(win, y, *x, cols - *x, spans[i].role, spans[i].text) + 2;
	}
}

int status_text_rows(int cols, const char *text, size_t n)
{
	struct wrap wrap = {.n = 0};
	int rows = 1;

	if (cols > 2 && !wrap_update(&wrap, text, n, cols - 2))
		rows = (int)wrap.n;
	wrap_free(&wrap);
	return rows;
}

void status_draw_text(WINDOW *win, int y, int rows, int cols, enum theme_role role, const char *text,
                      size_t n)
{
	int width = cols - 2;
	size_t last = rows > 0 ? (size_t)rows - 1 : 0, from = 0;
	struct wrap wrap = {.n = 0};

	if (last && width > 0 && !wrap_update(&wrap, text, n, width))
		for (size_t i = 0; i < last && i + 1 < wrap.n; i++, y++) {
			cells_fill(win, y, 0, cols, role);
			cells_draw_part(win, y, 1, width, role, text, n, wrap.lines[i].start, wrap.lines[i].end);
			from = wrap.lines[i + 1].start;
		}
	wrap_free(&wrap);
	cells_fill(win, y, 0, cols, role);
	if (width > 0 && cells_width(text + from, n - from) > width)
		cells_puts(win, y, 1 + --width, 1, role, "\u2026");
	cells_draw_part(win, y, 1, width, role, text, n, from, n);
}

size_t status_draw_list(WINDOW *win, int y, int cols, const char *const *items, size_t n)
{
	int x = 1;

	cells_fill(win, y, 0, cols, STYLE_STATUS);
	for (size_t i = 0; i < n; i++) {
		char more[32];
		int reserve;

		snprintf(more, sizeof more, "+%zu Tab", n - i);
		reserve = i + 1 < n ? cells_text_width(more) + 2 : 0;
		if (x + cells_text_width(items[i]) + reserve > cols - 1) {
			/* the first one, too long for a row of its own, is cut */
			cells_puts(win, y, x, cols - 1 - x, STYLE_STATUS, i ? more : items[i]);
			return i ? i : 1;
		}
		x += cells_puts(win, y, x, cols - 1 - x, STYLE_STATUS, items[i]) + 2;
	}
	return n;
}

void status_draw_note(WINDOW *win, int y, int cols, const char *label, const char *text, size_t len,
                      const char *keys)
{
	int x = 1, end = cols - 1, width = cells_text_width(keys);

	cells_fill(win, y, 0, cols, STYLE_HINT);
	if (width && cols > 2 * width) {
		end -= width;
		cells_puts(win, y, end, width, STYLE_HINT, keys);
		end -= 2;
	}
	x += cells_puts(win, y, x, end - x, STYLE_HINT, label) + 1;
	if (x < end && cells_width(text, len) > end - x)
		cells_puts(win, y, --end, 1, STYLE_USER, "\u2026");
	if (x < end)
		cells_draw(win, y, x, end - x, STYLE_USER, text, len);
}
