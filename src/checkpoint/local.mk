# Models as laboratories publish them, safetensors, to GGUF.
noinst_LIBRARIES += src/checkpoint/libcheckpoint.a
src_checkpoint_libcheckpoint_a_SOURCES = \
	src/checkpoint/config.c \
	src/checkpoint/conversion.c src/checkpoint/conversion.h \
	src/checkpoint/convert.c src/checkpoint/convert.h \
	src/checkpoint/families.c \
	src/checkpoint/family.h \
	src/checkpoint/family_gemma.c \
	src/checkpoint/family_gpt_oss.c \
	src/checkpoint/family_keys.c \
	src/checkpoint/family_lfm2.c \
	src/checkpoint/family_llama.c \
	src/checkpoint/family_olmo.c \
	src/checkpoint/family_outputs.c \
	src/checkpoint/family_phi.c \
	src/checkpoint/family_qwen.c \
	src/checkpoint/floats.c src/checkpoint/floats.h \
	src/checkpoint/fp8.c \
	src/checkpoint/general.c src/checkpoint/general.h \
	src/checkpoint/maker.c src/checkpoint/maker.h \
	src/checkpoint/model_card.c src/checkpoint/model_card.h \
	src/checkpoint/model_id.c src/checkpoint/model_id.h \
	src/checkpoint/mxfp4.c \
	src/checkpoint/offer.c src/checkpoint/offer.h \
	src/checkpoint/outputs.c src/checkpoint/outputs.h \
	src/checkpoint/refused.c src/checkpoint/refused.h \
	src/checkpoint/row_map.c src/checkpoint/row_map.h \
	src/checkpoint/rows.c src/checkpoint/rows.h \
	src/checkpoint/safetensors.c src/checkpoint/safetensors.h \
	src/checkpoint/safetensors_header.c src/checkpoint/safetensors_header.h \
	src/checkpoint/sampling.c \
	src/checkpoint/settings.c src/checkpoint/settings.h \
	src/checkpoint/shard_index.c src/checkpoint/shard_index.h \
	src/checkpoint/sources.c src/checkpoint/sources.h \
	src/checkpoint/types.c src/checkpoint/types.h \
	src/checkpoint/vocabulary.c src/checkpoint/vocabulary.h \
	src/checkpoint/vocabulary_added.c \
	src/checkpoint/vocabulary_bpe.c \
	src/checkpoint/vocabulary_job.h \
	src/checkpoint/vocabulary_json.c \
	src/checkpoint/vocabulary_merges.c \
	src/checkpoint/vocabulary_model.c \
	src/checkpoint/vocabulary_pre.c src/checkpoint/vocabulary_pre.h \
	src/checkpoint/vocabulary_pre_table.c \
	src/checkpoint/vocabulary_special.c src/checkpoint/vocabulary_special.h \
	src/checkpoint/vocabulary_spm.c \
	src/checkpoint/vocabulary_template.c src/checkpoint/vocabulary_template.h \
	src/checkpoint/vocabulary_tokens.c \
	src/checkpoint/vocabulary_write.c src/checkpoint/vocabulary_write.h \
	src/checkpoint/write.c src/checkpoint/write.h
