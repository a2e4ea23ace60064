#include "pull/source.h"

const struct pull_source_ops *pull_source_of(const struct pull_name *name)
{
	switch (name->source) {
	case PULL_HUB:
		return &pull_hub;
	case PULL_OLLAMA:
		return &pull_ollama;
	case PULL_URL:
		break;
	}
	return &pull_plain_url;
}
