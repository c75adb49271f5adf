// Prints of a kernel go nowhere.
#pragma once

#include <cstdint>

struct CqfuzzNoPrint {
    template <class T>
    const CqfuzzNoPrint& operator<<(const T&) const {
        return *this;
    }
};
struct CqfuzzNoWord {};
#define DPRINT CqfuzzNoPrint{}
#define DEVICE_PRINT(...) ((void)0)
#define DPRINT_DATA0(...) ((void)0)
#define DPRINT_DATA1(...) ((void)0)
#define DPRINT_UNPACK(...) ((void)0)
#define DPRINT_MATH(...) ((void)0)
#define DPRINT_PACK(...) ((void)0)
inline CqfuzzNoWord ENDL() { return {}; }
inline CqfuzzNoWord HEX() { return {}; }
inline CqfuzzNoWord DEC() { return {}; }
inline CqfuzzNoWord OCT() { return {}; }
inline CqfuzzNoWord FIXED() { return {}; }
inline CqfuzzNoWord DEFAULTFLOAT() { return {}; }
inline CqfuzzNoWord SETW(int, bool = true) { return {}; }
inline CqfuzzNoWord SETPRECISION(int) { return {}; }
inline CqfuzzNoWord BF16(std::uint16_t) { return {}; }
inline CqfuzzNoWord F32(float) { return {}; }
inline CqfuzzNoWord U32(std::uint32_t) { return {}; }
