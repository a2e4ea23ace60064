noinst_LIBRARIES += src/model/libmodel.a
src_model_libmodel_a_SOURCES =
