themesdir = $(pkgdatadir)/themes
dist_themes_DATA =
