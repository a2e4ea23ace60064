# Where bash-completion, zsh and fish look for what packages bring. bash-completion wants the
# command's own name.
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = completions/_sotto
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = completions/sotto.fish
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = completions/sotto
EXTRA_DIST += completions/sotto.bash
CLEANFILES += completions/sotto
completions/sotto: completions/sotto.bash
	$(AM_V_GEN)$(MKDIR_P) completions && cp $(srcdir)/completions/sotto.bash $@
