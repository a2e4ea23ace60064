#include "support/safe_text.h"

#include <stdint.h>

#include "base/utf8.h"

static const struct {
	int32_t first, last;
} forbidden[] = {
	{0x00, 0x08}, {0x0B, 0x1F}, {0x7F, 0x9F}, {0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C},
	{0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200B}, {0x200E, 0x200F},
	{0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xD800, 0xF8FF}, {0xFDD0, 0xFDEF},
	{0xFE00, 0xFE0D}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF},
	{0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF},
};

bool safe_text(const char *bytes, size_t n)
{
	int marks = 0;

	for (size_t at = 0; at < n;) {
		int32_t cp;

		at += utf8_decode(bytes + at, n - at, &cp);
		if (cp < 0)
			return false;
		for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
			if (cp >= forbidden[i].first && cp <= forbidden[i].last)
				return false;
		marks = cp >= 0x300 && cp < 0x370 ? marks + 1 : 0;
		if (marks > 8)
			return false;
	}
	return true;
}
