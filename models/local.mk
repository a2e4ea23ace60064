# The guide (tools/guide/README.md): made once for each larger release, never by the build.
modelsdir = $(pkgdatadir)/models
dist_models_DATA = models/guide.gguf
