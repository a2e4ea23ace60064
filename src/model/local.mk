noinst_LIBRARIES += src/model/libmodel.a
src_model_libmodel_a_SOURCES = \
	src/model/arch.c src/model/arch.h \
	src/model/arch_llama.c \
	src/model/forward.h \
	src/model/hparams.c src/model/hparams.h \
	src/model/kv_cache.c src/model/kv_cache.h \
	src/model/model.c src/model/model.h \
	src/model/scratch.c src/model/scratch.h \
	src/model/weights.c src/model/weights.h src/model/weights_pack.c \
	src/model/work.c src/model/work.h
