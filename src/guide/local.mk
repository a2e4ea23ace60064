# The built-in model's help: facts, look-up, the system prompt made of them.
EXTRA_DIST += src/guide/guide.h
