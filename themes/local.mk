themesdir = $(pkgdatadir)/themes
dist_themes_DATA = \
	themes/dark.yaml \
	themes/high-contrast.yaml \
	themes/light.yaml \
	themes/monochrome.yaml \
	themes/terminal16.yaml
