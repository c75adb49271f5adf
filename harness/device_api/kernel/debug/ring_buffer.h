// A watcher's ring of words: nobody watches here.
#pragma once

#define WATCHER_RING_BUFFER_PUSH(value) ((void)(value))
