/* What the formats read into: chats that are not trees yet. */
#ifndef SOTTO_IMPORT_READING_H
#define SOTTO_IMPORT_READING_H

#include "base/buf.h"
#include "base/role.h"
#include "import/import.h"
#include "import/value.h"

/* A message. It hangs under the one that `parent` names, or under `after`. */
struct import_message {
	char *id, *parent, *model; /* owned; NULL: none */
	bool is_first;             /* it says that it has no parent */
	size_t after;              /* the message that it follows in the file, plus one; 0: none */
	bool is_left_out;          /* what follows it follows the one before it */
	enum role role;
	struct buf text, reasoning;
	struct attached *files;    /* owned; NULL: none */
	int64_t created;           /* milliseconds; 0: not known */
};

struct import_draft {
	char *key, *title, *leaf, *model; /* owned; NULL: none */
	bool has_system;                  /* the first message is above all others */
	bool by_date;                     /* rows of a table, in any order */
	int64_t created;
	struct import_message *messages;  /* owned */
	size_t n, cap;
	size_t tip;                       /* the message that the next one follows, plus one; 0: none */
};

struct reading {
	struct import *import;
	struct values values;        /* of the document at hand */
	struct import_draft *drafts; /* owned: by key, and the one without (messages that stand alone) */
	size_t n_drafts, cap_drafts;
	enum status status;          /* the first failure; nothing is added after it */
	struct error *err;
};

void reading_fail(struct reading *reading, enum status status);
void reading_count(struct reading *reading, enum import_kind kind, size_t n);
/* NULL: none. Freed by whoever gets it. */
char *reading_copy(struct reading *reading, const char *text);
/* Replaces *to by a copy, unless `text` is NULL. */
void reading_replace(struct reading *reading, char **to, const char *text);
/* A string, a number or MongoDB's {"$oid": ...}; NULL: none of them. Borrowed. */
const char *id_of(const struct value *value);

/* The draft of this key (NULL: the one without), which may be new; NULL without memory. Borrowed until the
 * next one. */
struct import_draft *reading_draft(struct reading *reading, const char *key);
/* The newest without a key ends, and becomes a chat. */
void reading_end(struct reading *reading, struct import_draft *draft);
void message_free(struct import_message *message);
void draft_free(struct import_draft *draft);
/* An empty message behind the tip; NULL without memory. Borrowed until the next one. */
struct import_message *draft_add(struct reading *reading, struct import_draft *draft);

/* Adds a message with a role and a text, of any form; NULL where the text is empty, too. */
struct import_message *draft_say(struct reading *reading, struct import_draft *draft, enum role role,
                                 const struct value *text);
/* The draft becomes a chat, and is freed. */
void draft_end(struct reading *reading, struct import_draft *draft);

/* What programs call the date, and the model, of a message or a chat. */
extern const char import_date_keys[], import_model_keys[];
/* Who wrote a message. False: nobody who has a place in a chat; it is counted. */
bool message_find_role(struct reading *reading, const struct value *object, enum role *role);
/* A message of most programs, behind the draft's tip. */
void message_read(struct reading *reading, struct import_draft *draft, const struct value *object);

/* Any form of content: text, reasoning (all of it, if that is what it is) and files go into the
 * message, the rest is counted. */
void content_put(struct reading *reading, struct import_message *message,
                 const struct value *content, bool is_reasoning);
/* A list of files that came with the message. */
void content_put_files(struct reading *reading, struct import_message *message, const struct value *files);
/* One, or a list, also as JSON in a string. */
void content_count_calls(struct reading *reading, const struct value *calls, enum import_kind kind);
/* A text without capital letters, cut to the size. */
void content_lower(char *to, size_t size, const char *text);
/* What an entry's type says; IMPORT_N_KINDS: nothing that is left out. */
enum import_kind content_kind(const char *type);
/* Appends a text with HTML's entities as what they stand for. */
void content_put_unescaped(struct buf *out, const char *text, size_t len);
/* Whether the other text has nothing that is not in what was said; blanks do not count. */
bool content_says_nothing_new(struct reading *reading, const struct buf *said, const char *other, size_t len);
/* Counts another text of a message, or of its reasoning, unless it says nothing new. */
void content_count_other(struct reading *reading, const struct buf *text, const struct value *value,
                         bool is_reasoning);
/* Moves what a reply says in <think> and its kin to its reasoning. */
void content_split_reasoning(struct reading *reading, struct import_message *message);

/* An object of a list of chats or messages, or one that stands alone; `draft`: the chat whose messages are
 * listed; NULL: none. */
void format_read(struct reading *reading, struct import_draft *draft, const struct value *object);

/* Another list of the same chat: what is only there comes, too; of messages that are in both, words are
 * counted that only this list has. */
void format_read_again(struct reading *reading, struct import_draft *draft, const struct value *list);
/* Of SillyTavern. */
void format_read_tavern(struct reading *reading, struct import_draft *draft, const struct value *object);
/* Of LM Studio. */
void format_read_versions(struct reading *reading, struct import_draft *draft, const struct value *object);
void format_read_steps(struct reading *reading, struct import_draft *draft, const struct value *object);
/* Of text-generation-webui. */
void format_read_pairs(struct reading *reading, struct import_draft *draft, const struct value *object);

#endif
