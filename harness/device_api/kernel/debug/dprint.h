// Prints of a kernel go nowhere.
#pragma once

struct CqfuzzNoPrint {
    template <class T>
    const CqfuzzNoPrint& operator<<(const T&) const {
        return *this;
    }
};
struct CqfuzzNoWord {};
#define DPRINT CqfuzzNoPrint{}
inline CqfuzzNoWord ENDL() { return {}; }
inline CqfuzzNoWord HEX() { return {}; }
inline CqfuzzNoWord DEC() { return {}; }
