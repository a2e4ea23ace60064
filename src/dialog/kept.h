#ifndef SOTTO_DIALOG_KEPT_H
#define SOTTO_DIALOG_KEPT_H
#include "kept/kept.h"
struct dialog;
const struct kept *dialog_kept(struct dialog *dialog);
const struct kept_reply *dialog_kept_reply(struct dialog *dialog, uint32_t node);
enum status dialog_kept_branch(struct dialog *dialog, uint32_t to, uint32_t from, size_t n, struct error *err) MUST_CHECK;
enum status dialog_kept_add(struct dialog *dialog, uint32_t node, const struct token *token, struct error *err) MUST_CHECK;
void dialog_kept_drop(struct dialog *dialog, uint32_t node);
void dialog_kept_begin(struct dialog *dialog, uint32_t node, const struct turn_begin *begin);
#endif
