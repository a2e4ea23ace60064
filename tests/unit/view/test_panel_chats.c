#include <criterion/criterion.h>
#include <stdio.h>

#include "view/panel_chats.h"

static void no_date(int64_t when, char text[32])
{
	(void)when;
	text[0] = '\0';
}

static struct chats_row row(const char *path)
{
	return (struct chats_row){.path = path, .id = path, .title = path};
}

static struct key control(char c)
{
	return (struct key){.name = K_CHAR, .mods = MOD_CTRL, .cp = (uint32_t)c};
}

/* While a title is typed, the search may find other chats, and this one may go. */
Test(panel_chats, a_title_is_for_the_chat_that_was_selected)
{
	const struct chats_row before[] = {row("a"), row("b")}, after[] = {row("new"), row("a"), row("b")};
	const struct key enter = {.name = K_ENTER};
	struct panel *panel = panel_chats_open(NULL, no_date);

	panel_chats_set(panel, before, 2);
	panel_key(panel, control('r'));
	panel_chats_set(panel, after, 3);
	cr_assert(panel_key(panel, enter) & PANEL_CHANGED);
	cr_assert_eq(panel_chats_act(panel), CHATS_RENAME);
	cr_assert_str_eq(panel_chats_selected(panel)->path, "a");
	cr_assert_str_eq(panel_chats_answer(panel), "a");
	panel_key(panel, control('r'));
	panel_chats_set(panel, &after[2], 1);
	cr_assert_eq(panel_key(panel, enter), PANEL_TAKEN, "it is not for another one");
	panel_close(panel);
}
