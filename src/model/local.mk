noinst_LIBRARIES += src/model/libmodel.a
src_model_libmodel_a_SOURCES = \
	src/model/block_attention.c \
	src/model/block_experts.c \
	src/model/block_parts.c \
	src/model/block_states.c \
	src/model/block_layer_embeddings.c src/model/blocks.h \
	src/model/differences.c src/model/differences.h \
	src/model/experts.c src/model/experts.h \
	src/model/families.c \
	src/model/family.c src/model/family.h \
	src/model/family_cohere.c \
	src/model/family_experts.c \
	src/model/family_gemma.c \
	src/model/family_gemma3n.c \
	src/model/family_deepseek.c \
	src/model/family_gpt_oss.c \
	src/model/family_hybrid.c \
	src/model/family_llama.c \
	src/model/family_olmo.c \
	src/model/family_phi.c \
	src/model/family_qwen.c \
	src/model/family_stablelm.c \
	src/model/family_weights.c \
	src/model/forward.c src/model/forward.h \
	src/model/keys.c src/model/keys.h \
	src/model/cache.c src/model/cache.h \
	src/model/kinds.c src/model/kinds.h \
	src/model/model.c src/model/model.h src/model/model_internal.h \
	src/model/names.c src/model/names.h \
	src/model/packing.h \
	src/model/plan.c src/model/plan.h \
	src/model/ropes.c src/model/ropes.h \
	src/model/scratch.c src/model/scratch.h \
	src/model/tensor_use.c src/model/tensor_use.h \
	src/model/weights.c src/model/weights.h src/model/weights_dims.c src/model/weights_pack.c \
	src/model/weights_unused.c \
	src/model/work.c src/model/work.h
