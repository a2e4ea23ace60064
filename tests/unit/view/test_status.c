#include <criterion/criterion.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "terminal/cells.h"
#include "terminal/term.h"
#include "view/status.h"

/* The spans, joined: left ones, then " | ", then the right ones. */
static void compose(const struct status_info *info, int cols, struct buf *out)
{
	struct status_span spans[STATUS_SPANS];
	size_t n = status_compose(info, cols, spans);
	bool right = false;
	int width = 0;

	buf_init(out, KIB(4));
	for (size_t i = 0; i < n; i++) {
		buf_puts(out, i == 0 ? "" : spans[i].right && !right ? " | " : " ");
		right = right || spans[i].right;
		buf_puts(out, spans[i].text);
		width += cells_width(spans[i].text, strlen(spans[i].text)) + 2;
	}
	cr_assert(n <= 1 || width <= cols, "%s", buf_text(out));
}

static const struct {
	struct status_info info;
	int cols;
	const char *text;
} rows[] = {
	{{.state = STATE_NO_MODEL}, 80, "no model"},
	{{.state = STATE_LOADING, .load_fraction = 0.426f}, 80, "loading 42%"},
	{{.model = "m", .template = "plain", .state = STATE_READY, .ctx_total = 100}, 80,
	 "m plain ready | \342\226\221\342\226\221\342\226\221\342\226\221\342\226\221\342\226\221"
	 "\342\226\221\342\226\221 0/100"},
	{{.model = "m", .state = STATE_READY, .is_back = true, .percent = 42, .ctx_used = 1, .ctx_total = 100}, 40,
	 "m ready | at 42% \342\226\210\342\226\221\342\226\221\342\226\221\342\226\221\342\226\221"
	 "\342\226\221\342\226\221 1/100"},
	{{.model = "m", .template = "plain", .state = STATE_PREFILL, .prefill_done = 3,
	  .prefill_total = 9, .ctx_used = 1, .ctx_total = 100}, 80,
	 "m plain reading 3/9 | \342\226\210\342\226\221\342\226\221\342\226\221\342\226\221\342\226\221"
	 "\342\226\221\342\226\221 1/100"},
	{{.model = "m", .template = "plain", .state = STATE_GENERATING, .tokens_per_second = 12.34,
	  .ctx_used = 100, .ctx_total = 100}, 80,
	 "m plain writing | 12.3 tok/s \342\226\210\342\226\210\342\226\210\342\226\210\342\226\210"
	 "\342\226\210\342\226\210\342\226\210 100/100"},
	{{.model = "m", .template = "plain", .state = STATE_FAILED, .not_saved = true}, 80,
	 "m plain error NOT SAVED"},
	{{.state = STATE_NO_MODEL, .no_save = true, .mouse = true, .n_hidden = 2}, 80,
	 "no model no-save 2 hidden mouse"},
	{{.model = "m", .template = "chatml", .prompt = "tutor", .state = STATE_READY}, 80,
	 "m chatml tutor ready"},
	{{.model = "m", .template = "", .prompt = "tutor", .state = STATE_READY}, 80, "m tutor ready"},
	{{.model = "m", .template = "chatml", .prompt = "tutor", .state = STATE_READY}, 20,
	 "m tutor ready"},
	{{.model = "m", .template = "chatml", .state = STATE_READY, .hint = "F1 help"}, 80,
	 "m chatml ready F1 help"},
	{{.model = "m", .template = "chatml", .state = STATE_READY, .hint = "F1 help"}, 20,
	 "m ready F1 help"},
	{{.model = "m", .template = "chatml", .state = STATE_READY, .hint = ""}, 80, "m chatml ready"},
	{{.model = "m", .state = STATE_READY, .fetching = "45 % of 2.50 GB, 34.1 MB/s, 41 s left", .fetching_percent = 45},
	 80, "m ready \342\206\223 45 % of 2.50 GB, 34.1 MB/s, 41 s left"},
	{{.model = "m", .state = STATE_READY, .fetching = "45 % of 2.50 GB, 34.1 MB/s, 41 s left", .fetching_percent = 45},
	 40, "m ready \342\206\223 45 %"},
	{{.model = "m", .state = STATE_READY, .fetching = "looking for it", .fetching_percent = -1}, 40, "m ready \342\206\223"},
	/* On a server: not all of it is known, and some of it must be. */
	{{.model = "m", .server = "box", .state = STATE_READY, .ctx_used = 7, .is_estimated = true}, 80,
	 "m on box ready | ~7 tokens"},
	{{.model = "m", .server = "box", .state = STATE_READY}, 80, "m on box ready"},
	{{.model = "m", .server = "box", .state = STATE_READY, .ctx_used = 1, .ctx_total = 100, .is_estimated = true},
	 24, "m ready | ~1/100"},
	{{.model = "m", .server = "box", .state = STATE_PREFILL, .prefill_done = 1, .prefill_total = 2,
	  .waiting = "box is busy (3 s)", .hint = "Esc stops"}, 80, "m on box box is busy (3 s) Esc stops"},
	{{.model = "m", .server = "box", .state = STATE_STOPPING, .waiting = "box is busy"}, 80, "m on box stopping"},
	{{.model = "m", .server = "box", .state = STATE_READY, .is_unverified = true, .ctx_used = 1, .ctx_total = 9},
	 20, "not verified"},
	/* Narrower and narrower: what matters most stays. */
	{{.model = "model", .template = "plain", .state = STATE_GENERATING, .tokens_per_second = 1,
	  .ctx_used = 1, .ctx_total = 100, .not_saved = true}, 48,
	 "model writing NOT SAVED | 1.0 tok/s 1/100"},
	{{.model = "model", .template = "plain", .state = STATE_GENERATING, .tokens_per_second = 1,
	  .ctx_used = 1, .ctx_total = 100, .not_saved = true}, 30, "writing NOT SAVED | 1/100"},
	{{.model = "model", .template = "plain", .state = STATE_GENERATING, .tokens_per_second = 1,
	  .ctx_used = 1, .ctx_total = 100, .not_saved = true}, 20, "writing NOT SAVED"},
};

Test(status, says_the_most_important_things_at_every_width)
{
	term_set_locale();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf text;

		compose(&rows[i].info, rows[i].cols, &text);
		cr_expect_str_eq(buf_text(&text), rows[i].text, "row %zu: %s", i, buf_text(&text));
		buf_free(&text);
	}
}

/* Roles of the transcript have its ground, which would be a hole in the bar. */
Test(status, all_of_it_is_on_the_bars_ground)
{
	static const struct status_info infos[] = {
		{.state = STATE_FAILED, .not_saved = true, .no_save = true, .n_hidden = 2, .mouse = true},
		{.model = "m", .template = "t", .prompt = "p", .state = STATE_GENERATING, .hint = "h",
		 .tokens_per_second = 1, .ctx_used = 9, .ctx_total = 10},
	};

	term_set_locale();
	for (size_t i = 0; i < sizeof infos / sizeof infos[0]; i++) {
		struct status_span spans[STATUS_SPANS];
		size_t n = status_compose(&infos[i], 200, spans);

		for (size_t k = 0; k < n; k++)
			cr_expect(spans[k].role >= STYLE_STATUS && spans[k].role <= STYLE_GAUGE_FULL, "%s",
			          spans[k].text);
	}
}

/* Where the chat is, is no warning: not even that this is its beginning. */
Test(status, a_place_looks_like_the_rest_of_the_bar)
{
	term_set_locale();
	for (int percent = 0; percent <= 100; percent++) {
		struct status_info info = {.state = STATE_READY, .is_back = true, .percent = percent};
		struct status_span spans[STATUS_SPANS];

		cr_assert_eq(status_compose(&info, 80, spans), 2);
		cr_expect_eq(spans[1].role, STYLE_STATUS, "%d", percent);
	}
}

Test(status, the_gauge_changes_its_role_when_it_gets_tight)
{
	static const struct {
		uint32_t used;
		enum theme_role role;
	} levels[] = {{0, STYLE_GAUGE_OK}, {74, STYLE_GAUGE_OK}, {75, STYLE_GAUGE_WARN},
	              {94, STYLE_GAUGE_WARN}, {95, STYLE_GAUGE_FULL}, {100, STYLE_GAUGE_FULL}};

	term_set_locale();
	for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
		struct status_info info = {.state = STATE_READY, .ctx_used = levels[i].used,
		                           .ctx_total = 100};
		struct status_span spans[STATUS_SPANS];
		size_t n = status_compose(&info, 80, spans);

		cr_assert_gt(n, 2);
		cr_expect_eq(spans[n - 2].role, levels[i].role, "%u", levels[i].used);
	}
}

Test(status, a_long_model_name_is_cut_between_characters)
{
	char name[121] = "";
	struct status_info info = {.model = name, .state = STATE_READY};
	struct status_span spans[STATUS_SPANS];
	int width;

	term_set_locale();
	for (int i = 0; i < 40; i++)
		strcat(name, "\346\227\245");
	cr_assert_eq(status_compose(&info, 100, spans), 2);
	width = cells_width(spans[0].text, strlen(spans[0].text));
	cr_expect_leq(width, STATUS_MODEL_COLS, "%d", width);
	cr_expect_null(strstr(spans[0].text, "\357\277\275"));
	cr_expect_str_eq(spans[0].text + strlen(spans[0].text) - 3, "\342\200\246");
}
