/* Every limit on foreign bytes, in one place. Each is tested at the limit and
 * one past it; sotto(1) lists those a user can meet. */
#ifndef SOTTO_BASE_LIMITS_H
#define SOTTO_BASE_LIMITS_H

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* GGUF files */
#define LIMIT_GGUF_METADATA MIB(512) /* header, key/values and tensor list together */
#define LIMIT_GGUF_KEY 65535 /* as the format has it; strings may be as long as the metadata */
#define LIMIT_GGUF_KV 65536
#define LIMIT_GGUF_TENSORS 65536
#define LIMIT_GGUF_TENSOR_NAME 127
#define LIMIT_GGUF_PARTS 256 /* files that a model is split into */
#define LIMIT_GGUF_DIM ((uint64_t)1 << 40)
#define LIMIT_VOCAB ((size_t)2000000)
#define LIMIT_MERGES ((size_t)4000000)

/* Models as laboratories publish them */
#define LIMIT_SAFETENSORS_HEADER ((size_t)100000000) /* the format's own limit */
#define LIMIT_CHECKPOINT_FILES 512       /* shards; each stays open */
#define LIMIT_CHECKPOINT_TENSORS 500000  /* of all shards */
#define LIMIT_CHECKPOINT_NAME 511        /* bytes of a tensor's name */
#define LIMIT_CHECKPOINT_INDEX MIB(64)   /* model.safetensors.index.json */
#define LIMIT_CHECKPOINT_CONFIG MIB(8)   /* config.json and others like it */
#define LIMIT_CHECKPOINT_TOKENIZER MIB(128) /* tokenizer.json, tokenizer.model */
#define LIMIT_SETTINGS_VALUES 1000000
#define LIMIT_SETTINGS_BYTES MIB(64)     /* of their paths and texts */
#define LIMIT_SETTINGS_PATH 1023
#define LIMIT_SETTINGS_DEPTH 32

/* Text */
#define LIMIT_TOKENIZE_INPUT MIB(64)
#define LIMIT_MESSAGE MIB(8) /* a message, a paste, a text from the editor */
#define LIMIT_COMBINING 8    /* marks kept on one base character on screen */
#define LIMIT_OSC52 KIB(720) /* a text for the terminal's clipboard: tmux takes 1 MiB of base64 */
#define LIMIT_CLUSTER 32     /* code points kept in one cluster on screen */

/* Patterns of file names */
#define LIMIT_PATTERN_NAMES 100000 /* names in folders that are looked at */
#define LIMIT_PATTERN_FILES 1000   /* that one pattern names */
#define LIMIT_PATTERN_DEPTH 64     /* nested folders */

/* YAML */
#define LIMIT_YAML_BYTES MIB(1)
#define LIMIT_YAML_EVENTS 100000
#define LIMIT_YAML_DEPTH 32

/* servers.yaml */
#define LIMIT_SERVERS 100
#define LIMIT_SERVER_MODELS 1000    /* of one server, that the file says something about */
#define LIMIT_SERVER_HEADERS 32
#define LIMIT_SERVER_TEXT 2048      /* bytes of a URL, a header's value, a model's id, a path */
#define LIMIT_SERVER_COMMAND 64     /* words of a key-command */
#define LIMIT_SERVER_KEY KIB(4)     /* of what a key's command prints, or its file has */

/* Jinja templates */
#define LIMIT_JINJA_TEMPLATE MIB(1) /* of source */
#define LIMIT_JINJA_PARSE_DEPTH 128 /* nested constructs */
#define LIMIT_JINJA_EXPR_HEIGHT 256 /* height of an expression's tree: that of a + b + c + ... is its length */
#define LIMIT_JINJA_TREE MIB(32)    /* of memory for a parsed template */
#define LIMIT_JINJA_CALL_DEPTH 64   /* nested calls of macros */
#define LIMIT_JINJA_EVAL_DEPTH 1500 /* nested expressions and bodies of all calls */
#define LIMIT_JINJA_NESTING 128     /* nested lists when printed or compared */
#define LIMIT_JINJA_FUEL 5000000    /* steps of a rendering */
#define LIMIT_JINJA_MEMORY MIB(32)  /* for its values, besides 16 times its input */
#define LIMIT_JINJA_OUTPUT MIB(8)   /* or four times its input */
#define LIMIT_JINJA_RANGE 1000000   /* items of a range() */
#define LIMIT_JINJA_DEADLINE_MS 500
#define LIMIT_CONTEXT_BYTES MIB(16) /* YAML of the variables for sotto render */
#define LIMIT_CONTEXT_DEPTH 64

/* Prompt templates */
#define LIMIT_PROMPT_ITEMS 256      /* each of variables, messages and stop strings */
#define LIMIT_PROMPT_TEMPLATES 1000 /* files that are listed */

/* Looking for models */
#define LIMIT_CATALOG_MODELS 1000     /* files that are opened */
#define LIMIT_CATALOG_ENTRIES 200000  /* names in folders, of all places together */
#define LIMIT_CATALOG_FOLDERS 4096
#define LIMIT_CATALOG_DEPTH 8         /* nested folders */
#define LIMIT_RECENT_MODELS 50        /* models loaded before that are remembered */

/* Manifests of ollama's */
#define LIMIT_OLLAMA_MANIFEST MIB(1)
#define LIMIT_OLLAMA_LAYERS 256      /* files that one names */
#define LIMIT_OLLAMA_KIND 255        /* bytes of a media type */
#define LIMIT_OLLAMA_FILE ((uint64_t)2000000000000) /* bytes */
#define LIMIT_OLLAMA_STOPS 64        /* stop strings of one; the others are left out */
#define LIMIT_OLLAMA_TEXT MIB(1)     /* of parameters, a system message, a licence */

/* The guide's look-up */
#define LIMIT_GUIDE_FACTS MIB(1)     /* of the facts file */
#define LIMIT_GUIDE_QUESTION KIB(4)  /* the rest of a text is not looked at */
#define LIMIT_GUIDE_WORD 48          /* bytes; the rest of a word is not looked at */
#define LIMIT_GUIDE_WORDS 1000000    /* of all phrases together */
#define LIMIT_GUIDE_WEIGHTS MIB(4)   /* of the file of weights */
#define LIMIT_GUIDE_DIMS 1024        /* numbers in a row of it */

/* Published models */
#define LIMIT_PULL_NAME 2048               /* bytes of a name, as it is typed */
#define LIMIT_PULL_ANSWER MIB(32)          /* a page of a listing */
#define LIMIT_PULL_STATE MIB(1)            /* what is there of a file: ranges */
#define LIMIT_PULL_RANGES 10000            /* of one file */
#define LIMIT_PULL_PAGES 100               /* of one listing */
#define LIMIT_PULL_FILES 100000            /* of a repository */
#define LIMIT_PULL_PATH 1024               /* bytes of a file's path there */
#define LIMIT_PULL_DEPTH 16                /* nested folders there */
#define LIMIT_PULL_FILE ((uint64_t)2 << 40) /* bytes of a file */
#define LIMIT_PULL_CHOICES 1000            /* models in a repository */

/* Answers of servers */
#define LIMIT_HTTP_CA MIB(4)          /* a file of certificates */
#define LIMIT_HTTP_HEAD KIB(256)      /* of a call, with those of redirects */
#define LIMIT_HTTP_BODY MIB(64)       /* decompressed, where a call says no limit; one that is taken as it comes has none */
#define LIMIT_HTTP_ERROR_BODY KIB(64) /* of an answer that is not 2xx: the rest is not read */

/* Chats */
#define LIMIT_RECORD MIB(80) /* of a transcript: text and reasoning in escapes of 4 bytes, and tokens */
#define LIMIT_TRANSCRIPT MIB(512) /* a file that is opened */
#define LIMIT_KEPT MIB(512) /* a file of candidates beside a chat (kept/kept_file.h) */
#define LIMIT_TRANSCRIPTS 10000   /* files that are listed */
#define LIMIT_NODES 1000000       /* messages of one chat, all branches */
#define LIMIT_NODE_IDS 1500000    /* tokens of one reply */
#define LIMIT_TITLE 200
#define LIMIT_IMPORT MIB(256)     /* a file of other programs' chats */
#define LIMIT_IMPORT_VALUES 10000000 /* of JSON, in one of its chats */
#define LIMIT_MODEL_LABEL 127        /* bytes of a reply's label */
#define LIMIT_ATTACHMENTS 100        /* files that come with one message */

/* Servers */
#define LIMIT_REQUEST MIB(64)     /* what is sent for a reply */
#define LIMIT_STREAM MIB(64)      /* a reply, as it is sent */
#define LIMIT_STREAM_LINE MIB(8)  /* a line, an event, a document of it */
#define LIMIT_LISTED_MODELS 10000 /* of one server; the others are not listed */
#define LIMIT_MODEL_ID 511        /* bytes; models with a longer one are not listed */

#endif
