themesdir = $(pkgdatadir)/themes
dist_themes_DATA = \
	themes/dark.yaml \
	themes/gruvbox.yaml \
	themes/high-contrast.yaml \
	themes/light.yaml \
	themes/monochrome.yaml \
	themes/nightfall.yaml \
	themes/nord.yaml \
	themes/solarized-dark.yaml \
	themes/solarized-light.yaml \
	themes/terminal16.yaml
