/* Templates as trees. Nodes live in the template's arena; names are interned:
 * two uses of a name in a template share one string, so that scopes compare
 * pointers. All numbers of lines count from 1. */
#ifndef SOTTO_JINJA_AST_H
#define SOTTO_JINJA_AST_H

#include "jinja/value.h"

enum binary_op { OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FLOORDIV, OP_MOD };
enum compare_op { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_IN, CMP_NOT_IN };

enum expr_kind {
	EXPR_CONST,   /* string (adjacent ones joined), number, true, false, none */
	EXPR_NAME,
	EXPR_LIST,    /* items */
	EXPR_TUPLE,
	EXPR_DICT,    /* items: key, value, key, value ... */
	EXPR_NEGATE,
	EXPR_BINARY,
	EXPR_NOT,
	EXPR_AND, EXPR_OR,
	EXPR_COMPARE, /* a < b */
	EXPR_CONCAT,  /* a ~ b ~ c */
	EXPR_COND,    /* items: then, condition, else (NULL: undefined) */
	EXPR_GETATTR, /* items[0] . name */
	EXPR_GETITEM, /* items[0] [ items[1] ] */
	EXPR_SLICE,   /* items[0] [ items[1] : items[2] : items[3] ], each maybe NULL */
	EXPR_CALL,    /* items[0] ( call ) */
	EXPR_FILTER,  /* items[0] | name ( call ); items[0] NULL in a filter block: what it holds */
	EXPR_TEST,    /* items[0] is name ( call ); `is not` is EXPR_NOT around it */
};

/* Where a name's value is at run time: a slot of the function that runs, or of
 * one `up` functions around it (scope.h). */
struct variable {
	uint32_t up, slot;
};

struct expr;

struct call_keyword {
	const struct jinja_string *name;
	const struct expr *value;
};

/* The arguments of a call as written. */
struct call {
	const struct expr **items;
	size_t n;
	const struct call_keyword *const *keywords;
	size_t n_keywords;
};

struct builtin; /* builtins.h */

struct expr {
	enum expr_kind kind;
	unsigned line;
	/* Of the tree from here down, 1 for a leaf: at most LIMIT_JINJA_EXPR_HEIGHT,
	 * so that what recurses on expressions is bounded. */
	unsigned height;
	const struct jinja_string *name; /* NAME, GETATTR, FILTER, TEST; interned */
	const struct expr **items;
	size_t n;
	/* CONST. NAME, and COND without else: the undefined value that it may give
	 * (resolve.c). */
	struct jinja_value constant;
	union {
		enum binary_op binary;
		enum compare_op compare;
		struct variable variable;       /* NAME; found by resolve.c */
	} op;
	uint32_t export; /* NAME that is set: 1 + its number in lookups; 0: none; resolve.c */
	struct call call;                 /* CALL, FILTER, TEST */
	/* FILTER and TEST: the row; NULL when there is none by that name, which is
	 * an error of parsing (as in Jinja2) but inside {% if %} or a conditional
	 * expression, where it is one of evaluation. */
	const struct builtin *builtin;
};

enum stmt_kind {
	STMT_TEXT,     /* text */
	STMT_PRINT,    /* {{ expr }} */
	STMT_IF,       /* body: its arms */
	STMT_ARM,      /* {% if expr %} body; expr NULL: else */
	STMT_FOR,      /* {% for target in expr if filter %} body, else_body */
	STMT_SET,      /* {% set target = expr %} */
	STMT_SET_BLOCK,/* {% set target %} body */
	STMT_MACRO,    /* macro, body */
	STMT_CALL,     /* {% call(args) f(x) %} body: expr is the EXPR_CALL, macro its caller */
	STMT_FILTER,   /* {% filter a|b %} body; expr */
	STMT_GENERATION, /* {% generation %}: body in a scope of its own */
	STMT_BREAK, STMT_CONTINUE,
};

struct scopes;
struct function;
struct stmt;
struct body {
	const struct stmt **items;
	size_t n;
};

struct macro_param {
	const struct jinja_string *name;
	const struct expr *value; /* default; NULL: none */
	struct jinja_value missing;     /* without either; resolve.c */
};

struct macro {
	const struct jinja_string *name; /* NULL for the body of {% call %} */
	const struct macro_param *const *params;
	size_t n_params;
	struct body body;
	const struct function *function; /* resolve.c */
};

struct stmt {
	enum stmt_kind kind;
	unsigned line;
	const struct jinja_string *text;  /* TEXT */
	/* PRINT, ARM, FOR (what is gone through), SET, CALL, FILTER */
	const struct expr *expr;
	/* What is set by FOR, SET, SET_BLOCK, MACRO: an EXPR_NAME, EXPR_TUPLE of such, or the
	 * EXPR_GETATTR of an EXPR_NAME, which is a namespace. */
	const struct expr *target;
	const struct expr *filter;          /* FOR: `if` */
	const struct macro *macro;          /* MACRO, CALL */
	struct body body, else_body;        /* IF, ARM, FOR, SET_BLOCK, FILTER, GENERATION */
	const struct scopes *scopes;        /* those it opens; resolve.c */
};

struct jinja_template {
	struct arena arena;
	const char *name;
	struct body body;
	struct jinja_dict names; /* the interned identifiers: each text's one string (names.h) */
	const char *const *free_names; /* sorted */
	size_t n_free_names;
	/* resolve.c: the function of the template itself, and the names that any
	 * function looks up outside of all functions. */
	const struct function *root;
	const struct jinja_string *const *lookups;
	size_t n_lookups;
};

/* An identifier's one string in this template's tree; NULL: it does not occur. (parser.c) */
const struct jinja_string *template_intern(const struct jinja_template *tmpl, const char *name,
                                           size_t len);

#endif
