#include "markdown/highlight.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"

enum highlight_flags {
	ANY_CASE = 1 << 0,       /* of keywords */
	TRIPLE_QUOTES = 1 << 1,  /* """ and ''' reach over lines */
	LINES_OF_DIFF = 1 << 2,  /* each line is something by its first character */
	DIRECTIVES = 1 << 3,     /* a # at a line's beginning begins a keyword */
	COMMENT_IN_WORD = 1 << 4, /* a comment may begin right behind a word */
};

/* A row a language; NULL for what it does not have. */
struct highlight_language {
	const char *names;     /* behind fences, in lower case; separated by blanks, as the keywords are */
	const char *keywords;
	const char *comment[2]; /* up to the line's end */
	const char *begin, *end; /* a comment of any length */
	const char *quotes;     /* characters around strings, which end with the line ... */
	const char *long_quotes; /* ... or do not */
	unsigned flags;
};

#define C_WORDS "auto break case char const continue default do double else enum extern float for " \
	"goto if inline int long register return short signed sizeof static struct switch typedef " \
	"union unsigned void volatile while bool true false NULL "

static const struct highlight_language languages[] = {
	{"c h", C_WORDS "restrict _Bool _Static_assert", {"//"}, "/*", "*/", "\"'", NULL,
	 DIRECTIVES | COMMENT_IN_WORD},
	{"cpp c++ cc cxx hpp arduino", C_WORDS "alignas alignof and catch class concept const_cast "
	 "consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit "
	 "export final friend mutable namespace new noexcept not nullptr operator or override private "
	 "protected public reinterpret_cast requires static_cast template this throw try typeid typename "
	 "using virtual", {"//"}, "/*", "*/", "\"'", NULL, DIRECTIVES | COMMENT_IN_WORD},
	{"cs csharp c#", C_WORDS "abstract as async await base catch checked class decimal delegate event "
	 "finally foreach get implicit in init interface internal is lock namespace new null object operator "
	 "out override params private protected public readonly record ref sealed set string this throw try "
	 "typeof using var virtual where yield", {"//"}, "/*", "*/", "\"'", NULL,
	 DIRECTIVES | COMMENT_IN_WORD},
	{"java", "abstract assert boolean break byte case catch char class const continue default do double "
	 "else enum extends final finally float for if implements import instanceof int interface long native "
	 "new null package private protected public record return short static super switch synchronized this "
	 "throw throws true false try var void volatile while yield", {"//"}, "/*", "*/", "\"'", NULL,
	 TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"javascript js jsx mjs typescript ts tsx node", "abstract any as async await boolean break case catch "
	 "class const continue debugger declare default delete do else enum export extends false finally for "
	 "from function if implements import in infer instanceof interface keyof let namespace never new null "
	 "number of private protected public readonly return static string super switch this throw true try "
	 "type typeof undefined unknown var void while with yield", {"//"}, "/*", "*/", "\"'", "`",
	 COMMENT_IN_WORD},
	{"python py python3 ipython pycon starlark", "and as assert async await break case class continue def "
	 "del elif else except False finally for from global if import in is lambda match None nonlocal not or "
	 "pass raise return self True try while with yield", {"#"}, NULL, NULL, "\"'", NULL,
	 TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"go golang", "break case chan const continue default defer else fallthrough false for func go goto if "
	 "import interface iota map nil package range return select struct switch true type var any bool byte "
	 "error float32 float64 int int32 int64 rune string uint uint32 uint64", {"//"}, "/*", "*/", "\"'",
	 "`", COMMENT_IN_WORD},
	{"rust rs", "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn "
	 "for i32 i64 if impl in isize let loop match mod move mut None Ok Err pub ref return self Self Some "
	 "static str String struct super trait true type u32 u64 u8 union unsafe use usize Vec where while",
	 {"//"}, "/*", "*/", "\"", NULL, COMMENT_IN_WORD},
	{"kotlin kt kts", "abstract as break by catch class companion const constructor continue data do else "
	 "enum false final finally for fun if import in init inline interface internal is lateinit null object "
	 "open operator out override package private protected public return sealed super suspend this throw "
	 "true try typealias val var vararg when where while", {"//"}, "/*", "*/", "\"'", NULL,
	 TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"swift", "as associatedtype async await break case catch class continue default defer deinit do else "
	 "enum extension fallthrough false fileprivate for func guard if import in init inout internal is let "
	 "nil open operator private protocol public repeat rethrows return self Self some static struct "
	 "subscript super switch throw throws true try typealias var where while", {"//"}, "/*", "*/", "\"",
	 NULL, TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"php", "abstract and array as break case catch class clone const continue declare default do echo else "
	 "elseif empty extends false final finally fn for foreach function global if implements include "
	 "instanceof interface isset list match namespace new null or print private protected public readonly "
	 "require require_once return static switch this throw trait true try unset use var while yield",
	 {"//", "#"}, "/*", "*/", "\"'", NULL, COMMENT_IN_WORD},
	{"ruby rb", "alias and attr_accessor attr_reader begin break case class def defined do else elsif end "
	 "ensure false for if in include loop module new next nil not or private protected puts raise redo "
	 "require rescue retry return self super then true undef unless until when while yield", {"#"},
	 "=begin", "=end", "\"'", "`", 0},
	{"perl pl", "and bless cmp default die do else elsif eq eval for foreach ge given goto gt if keys last le "
	 "local lt my ne next no not or our package print push qw redo ref require return say shift sub undef "
	 "unless until use values when while x", {"#"}, NULL, NULL, "\"'", "`", 0},
	{"lua", "and break do else elseif end false for function goto if in local nil not or repeat return then "
	 "true until while", {"--"}, "--[[", "]]", "\"'", NULL, COMMENT_IN_WORD},
	{"sh bash shell zsh console shell-session fish ksh", "alias break case cd continue declare do done echo elif "
	 "else esac eval exec exit export fi for function if in local printf read readonly return set shift source "
	 "sudo then trap unset until while", {"#"}, NULL, NULL, "", "\"'", 0},
	{"powershell ps1 pwsh", "begin break catch class continue do else elseif end exit filter finally for foreach "
	 "function if in param process return switch throw trap try until using while", {"#"}, "<#", "#>", "\"'",
	 NULL, ANY_CASE},
	{"sql mysql postgresql sqlite plsql", "add all alter and as asc auto_increment between begin bigint boolean by "
	 "case char check column commit constraint create cross database date decimal default delete desc distinct "
	 "drop else end exists false foreign from full grant group having if in index inner insert int integer "
	 "intersect into is join key left like limit not null numeric offset on or order outer over partition "
	 "primary references returning right rollback select serial set table text then timestamp transaction true "
	 "union unique update using values varchar view when where with", {"--"}, "/*", "*/", "", "\"'`",
	 ANY_CASE | COMMENT_IN_WORD},
	{"r", "break else FALSE for function if in Inf library NA next NULL repeat return TRUE while", {"#"}, NULL,
	 NULL, "\"'", NULL, COMMENT_IN_WORD},
	{"julia jl", "abstract baremodule begin break catch const continue do else elseif end export false finally for "
	 "function global if import in let local macro module mutable nothing primitive quote return struct true try "
	 "type using where while", {"#"}, "#=", "=#", "\"", NULL, TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"haskell hs", "case class data default deriving do else forall foreign if import in infix infixl infixr "
	 "instance let module newtype of qualified then type where", {"--"}, "{-", "-}", "\"", NULL, 0},
	{"scala", "abstract case catch class def do else enum extends false final finally for given if implicit import "
	 "lazy match new null object override package private protected return sealed super then this throw trait "
	 "true try type using val var while with yield", {"//"}, "/*", "*/", "\"", NULL,
	 TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"dart", "abstract as assert async await bool break case catch class const continue covariant default do double "
	 "dynamic else enum export extends extension external factory false final finally for if implements import in "
	 "int is late library mixin new null num on operator part required rethrow return set static String super "
	 "switch this throw true try typedef var void while with yield", {"//"}, "/*", "*/", "\"'", NULL,
	 TRIPLE_QUOTES | COMMENT_IN_WORD},
	{"json jsonc json5 jsonl", "true false null", {"//"}, "/*", "*/", "\"", NULL, COMMENT_IN_WORD},
	{"yaml yml", "true false null yes no on off", {"#"}, NULL, NULL, "\"'", NULL, 0},
	{"toml ini cfg conf properties", "true false", {"#", ";"}, NULL, NULL, "\"'", NULL, 0},
	{"html xml svg xhtml vue", "", {NULL}, "<!--", "-->", "", "\"", COMMENT_IN_WORD},
	{"css scss less", "important media import keyframes from to", {NULL}, "/*", "*/", "\"'", NULL, COMMENT_IN_WORD},
	{"dockerfile docker", "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL "
	 "STOPSIGNAL USER VOLUME WORKDIR", {"#"}, NULL, NULL, "\"'", NULL, 0},
	{"makefile make mk", "define else endef endif export ifdef ifeq ifndef ifneq include override unexport", {"#"},
	 NULL, NULL, "", NULL, 0},
	{"cmake", "add_executable add_library cmake_minimum_required else elseif endforeach endfunction endif endmacro "
	 "endwhile find_package foreach function if include macro option project return set target_link_libraries "
	 "while", {"#"}, NULL, NULL, "\"", NULL, ANY_CASE},
	{"nix", "assert else false if import in inherit let null or rec then true with", {"#"}, "/*", "*/", "\"", NULL,
	 0},
	{"zig", "and break catch comptime const continue defer else enum errdefer error export extern fn for if inline "
	 "null or orelse packed pub return struct switch test true false try undefined union unreachable usize var "
	 "void while", {"//"}, NULL, NULL, "\"'", NULL, COMMENT_IN_WORD},
	{"asm nasm assembly s", "add and call cmp dec div global inc int je jmp jne lea mov mul nop or pop push ret "
	 "section sub syscall test xor", {";", "#"}, NULL, NULL, "\"'", NULL, ANY_CASE | COMMENT_IN_WORD},
	{"tex latex", "begin end documentclass usepackage section subsection", {"%"}, NULL, NULL, "", NULL,
	 COMMENT_IN_WORD},
	{"diff patch", "", {NULL}, NULL, NULL, "", NULL, LINES_OF_DIFF},
};

const struct highlight_language *highlight_find(const char *name, size_t len)
{
	char lower[32];

	if (!len || len >= sizeof lower)
		return NULL;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
	for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
		if (words_have(languages[i].names, lower, len))
			return &languages[i];
	return NULL;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins(const char *line, size_t len, size_t at, const char *with)
{
	size_t n = with ? strlen(with) : 0;

	return n && n <= len - at && memcmp(line + at, with, n) == 0;
}

static bool has_keyword(const struct highlight_language *language, const char *word, size_t len)
{
	const char *list = language->keywords;

	if (!(language->flags & ANY_CASE))
		return words_have(list, word, len);
	for (size_t n; words_list_next(&list, &n); list += n)
		if (n == len && strncasecmp(list, word, len) == 0)
			return true;
	return false;
}

/* What reaches into the next line. A long string: its quote, TRIPLE when there are three. */
enum { NOTHING_OPEN = 0, COMMENT_OPEN = 1, TRIPLE = 1 << 8 };

/* The end of the string whose inside begins at `at`; *closed: whether its quotes are there. */
static size_t string_end(const char *line, size_t len, size_t at, char quote, bool triple, bool *closed)
{
	*closed = true;
	for (; at < len; at++) {
		if (line[at] == '\\')
			at++;
		else if (line[at] == quote && !triple)
			return at + 1;
		else if (line[at] == quote && len - at >= 3 && line[at + 1] == quote && line[at + 2] == quote)
			return at + 3;
	}
	*closed = false;
	return len;
}

static size_t comment_end(const struct highlight_language *language, const char *line, size_t len,
                          size_t at, bool *closed)
{
	*closed = true;
	for (; at < len; at++)
		if (begins(line, len, at, language->end))
			return at + strlen(language->end);
	*closed = false;
	return len;
}

size_t highlight_next(const struct highlight_language *language, unsigned *state, const char *line, size_t len,
                      size_t at, enum theme_role *role)
{
	const char c = line[at];
	bool in_word = at && (is_letter(line[at - 1]) || is_digit(line[at - 1]));
	bool closed;
	size_t end = at + 1;

	*role = STYLE_CODE;
	if (!language)
		return len;
	if (language->flags & LINES_OF_DIFF) {
		*role = c == '+' ? STYLE_CODE_STRING : c == '-' ? STYLE_CODE_KEYWORD : c == '@' ? STYLE_CODE_COMMENT
		                                                                     : STYLE_CODE;
		return len;
	}
	if (*state) {
		bool is_comment = *state == COMMENT_OPEN;

		*role = is_comment ? STYLE_CODE_COMMENT : STYLE_CODE_STRING;
		end = is_comment ? comment_end(language, line, len, at, &closed)
		                 : string_end(line, len, at, (char)*state, *state & TRIPLE, &closed);
		*state = closed ? NOTHING_OPEN : *state;
		return end;
	}
	if (language->begin && begins(line, len, at, language->begin)) {
		*role = STYLE_CODE_COMMENT;
		end = comment_end(language, line, len, at + strlen(language->begin), &closed);
		*state = closed ? NOTHING_OPEN : COMMENT_OPEN;
		return end;
	}
	for (size_t i = 0; i < 2; i++) {
		if (!begins(line, len, at, language->comment[i]))
			continue;
		if (at && line[at - 1] != ' ' && line[at - 1] != '\t' && !(language->flags & COMMENT_IN_WORD))
			continue;
		*role = STYLE_CODE_COMMENT;
		return len;
	}
	if (language->flags & DIRECTIVES && c == '#' && strspn(line, " \t") >= at) {
		*role = STYLE_CODE_KEYWORD;
		while (end < len && (line[end] == ' ' || line[end] == '\t'))
			end++;
		while (end < len && is_letter(line[end]))
			end++;
		return end;
	}
	if (c && (strchr(language->quotes, c) || (language->long_quotes && strchr(language->long_quotes, c)))) {
		bool triple = language->flags & TRIPLE_QUOTES && len - at >= 3 && line[at + 1] == c &&
		              line[at + 2] == c;
		bool is_long = triple || !strchr(language->quotes, c);

		if (c == '\'' && in_word) /* an apostrophe, or 1'000 */
			return end;
		*role = STYLE_CODE_STRING;
		end = string_end(line, len, at + (triple ? 3 : 1), c, triple, &closed);
		if (!closed && is_long)
			*state = (unsigned char)c | (triple ? TRIPLE : 0);
		return end;
	}
	if (is_letter(c) || (is_digit(c) && !in_word)) {
		while (end < len && (is_letter(line[end]) || is_digit(line[end]) ||
		                     (is_digit(c) && line[end] == '.')))
			end++;
		if (is_digit(c))
			*role = STYLE_CODE_STRING;
		else if (has_keyword(language, line + at, end - at))
			*role = STYLE_CODE_KEYWORD;
	}
	return end;
}
