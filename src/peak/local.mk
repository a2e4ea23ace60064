noinst_LIBRARIES += src/peak/libpeak.a
src_peak_libpeak_a_SOURCES = src/peak/peak.c src/peak/peak.h
