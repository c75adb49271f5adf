// A watcher's pause: none here.
#pragma once

#define PAUSE() ((void)0)
