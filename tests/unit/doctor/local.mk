# Functions that faults are planted in.
check_PROGRAMS += tests/unit/doctor/test_faults
TESTS += tests/unit/doctor/test_faults
tests_unit_doctor_test_faults_SOURCES = tests/unit/doctor/test_faults.c \
	tests/unit/doctor/faults.c tests/unit/doctor/faults.h
tests_unit_doctor_test_faults_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/doctor
tests_unit_doctor_test_faults_LDFLAGS = -Wl,--wrap=rope_table -Wl,--wrap=rope -Wl,--wrap=model_ropes -Wl,--wrap=family_read \
	-Wl,--wrap=attention -Wl,--wrap=dequantize_q8_0 -Wl,--wrap=panel_pack_q8_0 -Wl,--wrap=normalise \
	-Wl,--wrap=route_token -Wl,--wrap=dequantize_q4_k -Wl,--wrap=panel_pack_q4_k -Wl,--wrap=stack_at \
	-Wl,--wrap=cache_rewind -Wl,--wrap=tokenizer_encode -Wl,--wrap=tokenizer_encode_spans
tests_unit_doctor_test_faults_LDADD = tests/support/libsupport.a src/doctor/libdoctor.a $(ENGINE_LIBS) \
	$(TEST_KERNEL_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/doctor/test_made
TESTS += tests/unit/doctor/test_made
tests_unit_doctor_test_made_SOURCES = tests/unit/doctor/test_made.c
tests_unit_doctor_test_made_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_doctor_test_made_LDADD = tests/support/libsupport.a src/doctor/libdoctor.a $(ENGINE_LIBS) \
	$(TEST_KERNEL_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)
