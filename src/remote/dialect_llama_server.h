/* llama.cpp's own server, by ids of its model's vocabulary (llama_server.h). */
#ifndef SOTTO_REMOTE_DIALECT_LLAMA_SERVER_H
#define SOTTO_REMOTE_DIALECT_LLAMA_SERVER_H

#include "remote/dialect.h"

extern const struct dialect dialect_llama_server;

#endif
