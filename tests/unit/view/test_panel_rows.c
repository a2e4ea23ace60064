/* What all panels have in common: the keys that move in them, and that what they say can be read to its
 * end, on a screen of any size. */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "pad.h"
#include "sampler/params.h"
#include "view/panel.h"
#include "view/panel_sampler.h"

static unsigned press(struct panel *panel, enum key_name name)
{
	return panel_key(panel, (struct key){.name = name});
}

Test(panel_rows, one_rule_for_the_keys_that_move)
{
	static const struct {
		enum key_name key;
		size_t n, page, from, to;
	} rows[] = {
		{K_UP, 10, 4, 5, 4}, {K_UP, 10, 4, 0, 0}, {K_DOWN, 10, 4, 5, 6}, {K_DOWN, 10, 4, 9, 9},
		{K_PAGE_UP, 10, 4, 5, 2}, {K_PAGE_UP, 10, 4, 2, 0}, {K_PAGE_DOWN, 10, 4, 2, 5}, {K_PAGE_DOWN, 10, 4, 8, 9},
		{K_HOME, 10, 4, 5, 0}, {K_END, 10, 4, 5, 9}, {K_PAGE_DOWN, 10, 0, 2, 3}, {K_END, 0, 0, 0, 0},
		{K_DOWN, 0, 4, 0, 0}, {K_PAGE_DOWN, 1, 4, 0, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t row = rows[i].from;

		cr_expect(panel_move_key((struct key){.name = rows[i].key}, rows[i].n, rows[i].page, &row));
		cr_expect_eq(row, rows[i].to, "row %zu: %zu", i, row);
	}
	for (int name = K_CHAR; name < K_NAME_COUNT; name++) {
		size_t row = 3;
		bool moves = name == K_UP || name == K_DOWN || name == K_PAGE_UP || name == K_PAGE_DOWN ||
		             name == K_HOME || name == K_END;

		cr_expect_eq(panel_move_key((struct key){.name = (enum key_name)name}, 10, 4, &row), moves);
		cr_expect(moves || row == 3);
	}
}

static int row_of(WINDOW *win, int rows, const char *text)
{
	for (int y = 0; y < rows; y++)
		if (strstr(pad_row(win, y), text))
			return y;
	return -1;
}

/* The first slider, the last, one in between: they are where the keys have gone. */
Test(panel_rows, sliders)
{
	WINDOW *win = pad_open(12, 80);
	struct sampler_params params;
	const struct option_table table = {sampler_options, sampler_n_options, &params};
	struct settings *settings;
	struct panel *panel;

	cr_assert_eq(settings_create(&settings, &table, 1, NULL), STATUS_OK);
	panel = panel_sampler_open(settings, NULL, NULL);
	panel_layout(panel, 0, 0, 12, 80);
	panel_draw(panel, win);
	cr_expect_eq(press(panel, K_END), PANEL_TAKEN);
	panel_draw(panel, win);
	cr_expect(pad_find(win, "21/21") > 0 && pad_find(win, "mirostat-lr") > 0);
	cr_expect_eq(press(panel, K_PAGE_UP), PANEL_TAKEN);
	panel_draw(panel, win);
	cr_expect_eq(pad_find(win, "21/21"), -1);
	press(panel, K_HOME);
	panel_draw(panel, win);
	cr_expect(pad_find(win, " 1/21") > 0);
	press(panel, K_PAGE_DOWN);
	panel_draw(panel, win);
	cr_expect(pad_find(win, " 1/21") < 0 && pad_find(win, " 2/21") < 0);
	panel_close(panel);
	settings_free(settings);
}

static void put_lines(struct buf *out, const char *name, int n)
{
	for (int i = 1; i <= n; i++)
		buf_printf(out, "%s%s %d.", i > 1 ? "\n" : "", name, i);
}

/* Whatever stands below the rows, or in their place, each line comes into sight, and Home leads back. */
Test(panel_rows, texts_are_read_to_their_end)
{
	static const struct list_item items[] = {
		{.text = "guide", .value = "a"}, {.text = "other", .value = "b"}, {.text = "third", .value = "c"},
	};
	static const enum key_name keys[] = {K_DOWN, K_PAGE_DOWN};
	WINDOW *win = pad_open(30, 100);

	for (size_t n_items = 0; n_items <= 3; n_items++) {
		for (int rows = 6; rows <= 30; rows += 8) {
			for (size_t k = 0; k < 2; k++) {
				struct panel *panel = panel_list_open("Models", items, n_items, NULL);
				bool seen[41] = {false};
				struct buf text = {.max = KIB(4)};

				put_lines(&text, "advice", 40);
				cr_assert(n_items ? panel_list_set_below(panel, buf_text(&text)) : panel_list_set_empty(panel, buf_text(&text)));
				for (int press_n = 0; press_n < 60; press_n++) {
					panel_layout(panel, 0, 0, rows, 100);
					werase(win);
					panel_draw(panel, win);
					for (int line = 1; line <= 40; line++) {
						char name[24];

						snprintf(name, sizeof name, "advice %d.", line);
						seen[line] |= row_of(win, rows, name) >= 0;
					}
					press(panel, keys[k]);
				}
				for (int line = 1; line <= 40; line++)
					cr_expect(seen[line], "line %d of %d rows, %zu items", line, rows, n_items);
				press(panel, K_HOME);
				werase(win);
				panel_draw(panel, win);
				cr_expect(row_of(win, rows, n_items ? "guide" : "advice 1.") > 0);
				if (n_items)
					cr_expect_str_eq(panel_list_selected(panel), "a");
				press(panel, K_END);
				panel_draw(panel, win);
				press(panel, K_END);
				werase(win);
				panel_draw(panel, win);
				cr_expect(row_of(win, rows, "advice 40.") > 0, "%d rows", rows);
				press(panel, K_UP);
				werase(win);
				panel_draw(panel, win);
				cr_expect(rows > 28 || row_of(win, rows, "advice 40.") < 0, "%d rows", rows);
				panel_close(panel);
				buf_free(&text);
			}
		}
	}
}

/* An error in a list's row is as wide as the screen lets it, and stands in full below where it is not. */
Test(panel_rows, errors_are_read_to_their_end)
{
	static const char error[] = "/home/somebody/.config/sotto/themes/mine-and-nobody-elses.yaml:12: a style has no "
	                            "'underlined', did you mean 'underline', or one of the others that there are? END";
	static const struct list_item items[] = {
		{.text = "fine", .note = "a theme", .value = "a"},
		{.text = "mine", .note = error, .value = "b", .is_broken = true},
	};
	WINDOW *win = pad_open(40, 220);

	for (int cols = 40; cols <= 220; cols += 20) {
		struct panel *panel = panel_list_open("Themes", items, 2, "b");
		int row;

		panel_layout(panel, 0, 0, 30, cols);
		werase(win);
		panel_draw(panel, win);
		row = pad_find(win, "END");
		cr_expect(row > 0, "%d columns", cols);
		cr_expect(cols < 200 || strstr(pad_row(win, row), "mine"), "%d columns: in its row", cols);
		panel_close(panel);
	}
}
