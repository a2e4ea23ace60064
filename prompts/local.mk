promptsdir = $(pkgdatadir)/prompts
dist_prompts_DATA = \
	prompts/assistant.yaml \
	prompts/brainstorm.yaml \
	prompts/coder.yaml \
	prompts/concise.yaml \
	prompts/editor.yaml \
	prompts/manual.yaml \
	prompts/reviewer.yaml \
	prompts/shell.yaml \
	prompts/socratic.yaml \
	prompts/storyteller.yaml \
	prompts/summarizer.yaml \
	prompts/translator.yaml \
	prompts/tutor.yaml
