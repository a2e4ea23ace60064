noinst_LIBRARIES += src/doctor/libdoctor.a
src_doctor_libdoctor_a_SOURCES = \
	src/doctor/diagnosis.c \
	src/doctor/doctor.c src/doctor/doctor.h \
	src/doctor/formats.c src/doctor/formats.h \
	src/doctor/patient.c \
	src/doctor/patient_words.c \
	src/doctor/record.c src/doctor/record.h \
	src/doctor/reference.c src/doctor/reference.h \
	src/doctor/rung.h \
	src/doctor/rung_attention.c \
	src/doctor/rung_cache.c \
	src/doctor/rung_experts.c \
	src/doctor/rung_file.c \
	src/doctor/rung_keys.c \
	src/doctor/rung_norms.c \
	src/doctor/rung_products.c \
	src/doctor/rung_reply.c \
	src/doctor/rung_rotation.c \
	src/doctor/rung_template.c \
	src/doctor/rung_windows.c \
	src/doctor/rung_words.c
