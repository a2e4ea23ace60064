#include "cli/checkpoint_model.h"

#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "base/home_path.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "base/words.h"
#include "checkpoint/convert.h"
#include "checkpoint/offer.h"
#include "cli/converting.h"
#include "cli/print.h"
#include "cli/stop.h"
#include "pull/plain_url.h"

enum { ANSWER_MAX = 128 };

/* The folder that the settings name, with the home folder in the place of ~; false: it is none. */
static bool find_folder(const struct cli_setup *setup, struct buf *folder)
{
	const char *model = setup->engine.model;

	buf_clear(folder);
	return model && model[0] && !home_path_put(folder, model) && convert_is_checkpoint(buf_text(folder));
}

/* The same as offers name it, and where those of the hub's cache go. */
static bool find_places(const struct cli_setup *setup, struct buf *folder, struct buf *models)
{
	struct buf path = {.max = KIB(64)};
	bool found = find_folder(setup, &path) && !convert_put_folder(folder, buf_text(&path)) &&
	             !plain_url_folder(models, NULL) && !io_make_dirs(&io_system, buf_text(models));

	buf_free(&path);
	return found;
}

static enum status use(struct cli_setup *setup, const char *path, struct error *err)
{
	const struct option *option = settings_find(setup->settings, "model");

	return settings_assign(setup->settings, "model", path, settings_origin_of(setup->settings, option), err);
}

/* The command comes whole, or the text ends before it: half a path would be another one. */
static enum status fail_unmade(const char *folder, const char *models, struct error *err)
{
	struct buf made = {.max = KIB(64)}, command = {.max = ERROR_TEXT_MAX - 100};

	convert_put_name(&made, folder, recipe_find("Q4_K_M"), models);
	buf_puts(&command, "sotto convert");
	words_put(&command, folder, strlen(folder));
	words_put(&command, buf_text(&made), made.len);
	if (buf_puts(&command, " Q4_K_M")) {
		buf_clear(&command);
		buf_puts(&command, "sotto convert DIR OUT.gguf Q4_K_M");
	}
	buf_free(&made);
	(void)error_set(err, STATUS_UNSUPPORTED, "this model is in safetensors, and is converted once: %s", buf_text(&command));
	buf_free(&command);
	return STATUS_UNSUPPORTED;
}

enum status checkpoint_model_find(struct cli_setup *setup, struct error *err)
{
	struct buf folder = {.max = KIB(64)}, models = {.max = KIB(64)}, made = {.max = KIB(64)};
	enum status status = STATUS_OK;

	if (!find_places(setup, &folder, &models)) {
		;
	} else if (convert_find_made(&made, buf_text(&folder), buf_text(&models))) {
		cli_note("uses %s, which was made of that folder", buf_text(&made));
		status = use(setup, buf_text(&made), err);
	} else {
		status = fail_unmade(buf_text(&folder), buf_text(&models), err);
	}
	buf_free(&folder);
	buf_free(&models);
	buf_free(&made);
	return status;
}

/* Enter is yes. */
static bool ask(const struct convert_offer *offer)
{
	char bytes[AMOUNT_TEXT_MAX], answer[ANSWER_MAX] = "";
	struct buf text = {.max = KIB(64)}, safe = {.max = KIB(256)};

	buf_printf(&text, "%s is a model as its laboratory publishes it. To chat with it, sotto makes a file of its own,"
	           " once: %s (%s). Enter makes it, q does not: ", offer->folder, offer->path,
	           amount_bytes(bytes, offer->n_bytes));
	sanitize_line(&safe, buf_text(&text), text.len);
	fprintf(stderr, "sotto: %s", buf_text(&safe));
	buf_free(&text);
	buf_free(&safe);
	if (!stop_read_line(answer, sizeof answer))
		return false;
	return answer[0] == '\n' || answer[0] == 'y' || answer[0] == 'Y';
}

static int convert(struct cli_setup *setup, const struct convert_offer *offer)
{
	int n_threads = setup->engine.n_threads > 0 ? setup->engine.n_threads : sys_cpu_count();
	struct converting converting = {.folder = offer->folder, .out = offer->path, .recipe = offer->recipe,
	                                .n_threads = (size_t)n_threads, .is_quiet = true};
	struct error err;
	int rc = converting_run(&converting);

	if (!rc && use(setup, offer->path, &err))
		rc = cli_fail(&err);
	return rc;
}

int checkpoint_model_offer(struct cli_setup *setup)
{
	struct buf folder = {.max = KIB(64)}, models = {.max = KIB(64)};
	struct convert_offer offer = {0};
	struct error err;
	int rc = 0;

	if (!find_places(setup, &folder, &models))
		;
	else if (convert_offer_make(&offer, buf_text(&folder), buf_text(&models), &err))
		rc = cli_fail_model(&err);
	else if (offer.is_made)
		rc = use(setup, offer.path, &err) ? cli_fail(&err) : 0;
	else if (ask(&offer))
		rc = convert(setup, &offer);
	else
		rc = cli_fail_with(STATUS_CANCELLED, "nothing was made; later: sotto convert DIR OUT.gguf Q4_K_M");
	convert_offer_free(&offer);
	buf_free(&folder);
	buf_free(&models);
	return rc;
}
