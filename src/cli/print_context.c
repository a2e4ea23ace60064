#include "cli/print_context.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "chat/ledger.h"

enum status cli_print_context(struct backend *backend, const struct turn *turn,
                              const struct tree *tree, struct error *err)
{
	size_t n = turn->n_messages;
	struct inspection inspect = {.messages = alloc_array(n, sizeof *inspect.messages),
	                                     .n_messages = n};
	struct ledger ledger = {.n = 0};
	struct buf table, text;
	enum status status = STATUS_OK;

	buf_init(&table, MIB(16));
	buf_init(&text, MIB(64));
	if (inspect.messages)
		status = backend_inspect(backend, turn, &inspect, err);
	else
		status = error_no_memory(err, "to count the conversation");
	if (!status && !ledger_make(&ledger, tree, &(struct ledger_counts){
			.messages = inspect.messages, .n = n, .help = inspect.help, .total = inspect.total,
			.cached = inspect.cached, .n_ctx = inspect.n_ctx, .reserve = inspect.reserve}))
		status = error_no_memory(err, "to count the conversation");
	if (!status) {
		buf_puts(&table, "Context: ");
		ledger_put_sum(&table, &ledger);
		buf_putc(&table, '\n');
		ledger_put_text(&table, &ledger);
		buf_putc(&table, '\n');
		sanitize_text(&text, buf_text(&table), table.len);
		fputs(buf_text(&text), stderr);
	}
	ledger_free(&ledger);
	buf_free(&table);
	buf_free(&text);
	free(inspect.messages);
	return status;
}
