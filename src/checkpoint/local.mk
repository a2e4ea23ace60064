# Models as laboratories publish them, safetensors, to GGUF.
noinst_LIBRARIES += src/checkpoint/libcheckpoint.a
src_checkpoint_libcheckpoint_a_SOURCES = \
	src/checkpoint/conversion.h \
	src/checkpoint/convert.h \
	src/checkpoint/floats.h \
	src/checkpoint/outputs.c src/checkpoint/outputs.h \
	src/checkpoint/refused.h \
	src/checkpoint/safetensors.h \
	src/checkpoint/settings.h
