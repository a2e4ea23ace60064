# Published models, by name: asking for them, fetching them, the folders they are kept in.
noinst_LIBRARIES += src/pull/libpull.a
src_pull_libpull_a_SOURCES = \
	src/pull/again.c src/pull/again.h \
	src/pull/choose.c src/pull/choose.h \
	src/pull/choose_default.c \
	src/pull/choose_group.c \
	src/pull/choose_numbers.c \
	src/pull/fetch.c src/pull/fetch.h \
	src/pull/fetch_finish.c src/pull/fetch_finish.h \
	src/pull/fetch_get.c \
	src/pull/fetch_getter.h \
	src/pull/fetch_hash.c \
	src/pull/fetch_head.c src/pull/fetch_head.h \
	src/pull/fetch_lock.c src/pull/fetch_lock.h \
	src/pull/fetch_place.c \
	src/pull/fetch_room.c \
	src/pull/fetch_run.h \
	src/pull/fetch_save.c \
	src/pull/fetch_state.c src/pull/fetch_state.h \
	src/pull/fetch_take.c \
	src/pull/hub.c \
	src/pull/hub_cache.c src/pull/hub_cache.h \
	src/pull/hub_config.c src/pull/hub_config.h \
	src/pull/hub_key.c src/pull/hub_key.h \
	src/pull/hub_listing.c src/pull/hub_listing.h \
	src/pull/hub_notes.c src/pull/hub_notes.h \
	src/pull/hub_words.c src/pull/hub_words.h \
	src/pull/name.c src/pull/name.h \
	src/pull/name_hub.c \
	src/pull/name_ollama.c \
	src/pull/name_parts.h \
	src/pull/offer.c src/pull/offer.h \
	src/pull/ollama.c \
	src/pull/ollama_store.c src/pull/ollama_store.h \
	src/pull/plain_url.c src/pull/plain_url.h \
	src/pull/progress.c \
	src/pull/pull.c src/pull/pull.h \
	src/pull/puller.c src/pull/puller.h \
	src/pull/quant_name.c src/pull/quant_name.h \
	src/pull/rate.c src/pull/rate.h \
	src/pull/source.c src/pull/source.h \
	src/pull/spans.c src/pull/spans.h \
	src/pull/stored.c src/pull/stored.h \
	src/pull/stored_hub.c \
	src/pull/stored_licence.c \
	src/pull/stored_model.h \
	src/pull/stored_name.c \
	src/pull/stored_ollama.c \
	src/pull/stored_plan.c \
	src/pull/stored_remove.c \
	src/pull/stored_verify.c \
	src/pull/web.c src/pull/web.h
