/* Every limit on foreign bytes, in one place. Each is tested at the limit and
 * one past it; sotto(1) lists those a user can meet. */
#ifndef SOTTO_BASE_LIMITS_H
#define SOTTO_BASE_LIMITS_H

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* GGUF files */
#define LIMIT_GGUF_METADATA MIB(512) /* header, key/values and tensor list together */
#define LIMIT_GGUF_KEY 255
#define LIMIT_GGUF_STRING MIB(16)
#define LIMIT_GGUF_KV 65536
#define LIMIT_GGUF_TENSORS 65536
#define LIMIT_GGUF_TENSOR_NAME 127
#define LIMIT_GGUF_DIM ((uint64_t)1 << 40)
#define LIMIT_VOCAB ((size_t)2000000)
#define LIMIT_MERGES ((size_t)4000000)

/* Text */
#define LIMIT_TOKENIZE_INPUT MIB(64)
#define LIMIT_MESSAGE MIB(8) /* a message, a paste, a text from the editor */
#define LIMIT_COMBINING 8    /* marks kept on one base character on screen */
#define LIMIT_CLUSTER 32     /* code points kept in one cluster on screen */

/* YAML */
#define LIMIT_YAML_BYTES MIB(1)
#define LIMIT_YAML_EVENTS 100000
#define LIMIT_YAML_DEPTH 32

/* Chats */
#define LIMIT_RECORD MIB(48) /* of a transcript: a message in escapes of 4 bytes, and its tokens */
#define LIMIT_TRANSCRIPT MIB(512) /* a file that is opened */
#define LIMIT_TRANSCRIPTS 10000   /* files that are listed */
#define LIMIT_NODES 1000000       /* messages of one chat, all branches */
#define LIMIT_NODE_IDS 1500000    /* tokens of one reply */
#define LIMIT_TITLE 200

#endif
