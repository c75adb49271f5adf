// The object's side of the Abi: linked into every kernel's shared object, compiled without
// instrumentation, everything hidden but two entries.
//
// The kernel's loads and stores of L1 are machine instructions at addresses of the simulated core;
// the compiler announces each one to the hooks below (it believes it is instrumenting for a thread
// sanitizer). A store is told to the core when it has happened: at the next access or call.
#include <cstddef>
#include <cstdint>

#include "harness/hosting/abi.hpp"
#include "harness/hosting/object/cq_objects.hpp"
#include "harness/hosting/object/looks.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))
#define HOOK extern "C" __attribute__((visibility("hidden")))
#define CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void kernel_main();

// What is written here lies apart from the kernel's statics, which may not reach it.
#define PORT_STATE __attribute__((section("cqfuzz_port")))
HOOK char __start_cqfuzz_port[];
HOOK char __stop_cqfuzz_port[];
HOOK __attribute__((weak)) char __start___sancov_guards[];
HOOK __attribute__((weak)) char __stop___sancov_guards[];

namespace cqfuzz::hosting {
namespace {

PORT_STATE const Abi* abi = nullptr;
PORT_STATE ObjectState state;
PORT_STATE std::uint32_t edges_left = 0;
PORT_STATE std::uint32_t pending_address = 0;  // a store that has not been told yet
PORT_STATE std::uint32_t pending_length = 0;
PORT_STATE bool tells_commands = false;  // the kernel says itself where in them it is
PORT_STATE Looks looks;
constexpr std::uint32_t kCounterLook = 0xffff0000u;  // counters, by numbers no address has

constexpr std::uint64_t kPointerMax = 1ull << 32;  // L1 pointers have 32 bits, the host's have more

[[noreturn]] void fault(const char* text, std::uintptr_t pc) {
    abi->kernel_fault(abi->self, text, pc);
    __builtin_unreachable();
}

// The kernel's frames begin here and grow down.
PORT_STATE std::uintptr_t stack_top = 0;

// The tool's own code, which keeps locks and may tell a story, runs on the same stack: a full one
// is a fault before it does.
constexpr std::uintptr_t kToolStackBytes = 40u << 10;

void tell_store() {
    if (pending_length == 0) return;
    const std::uint32_t address = pending_address;
    const std::uint32_t length = pending_length;
    pending_length = 0;
    abi->l1_store(address, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address)),
                  length);
}

void check_stack() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (here - abi->stack_bottom < kToolStackBytes)
        fault("its stack is full, an endless recursion?", state.pc);
}

// Before a call that reads a word which others change: it may be part of a wait.
void look() {
    check_stack();
    tell_store();
    edges_left = abi->edge_budget;
}

// Before every other call that reaches the core.
void action() {
    look();
    looks.forget();
}

void note_look(std::uint32_t address, std::uint32_t value) {
    switch (looks.note(address, value)) {
        case Turn::none: break;
        case Turn::pause: abi->pause(); break;
        case Turn::rest:
            edges_left = abi->edge_budget;
            abi->rest();
            break;
    }
}

bool within(std::uintptr_t address, std::size_t length, std::uintptr_t begin, std::uintptr_t end) {
    return address >= begin && address < end && length <= end - address;
}

bool touches(std::uintptr_t address, std::size_t length, const char* begin, const char* end) {
    return address < reinterpret_cast<std::uintptr_t>(end) &&
           address + length > reinterpret_cast<std::uintptr_t>(begin);
}

// Memory that nobody watches: of the object, of the kernel's stack, of the software counters.
bool is_own(std::uintptr_t address, std::size_t length, bool store) {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const std::uintptr_t* object = store ? abi->statics : abi->image;
    if (within(address, length, here, stack_top) ||
        within(address, length, abi->counters[0], abi->counters[1]))
        return true;
    return within(address, length, object[0], object[1]) &&
           !touches(address, length, __start_cqfuzz_port, __stop_cqfuzz_port) &&
           !touches(address, length, __start___sancov_guards, __stop___sancov_guards);
}

// False: the kernel's own memory. Everything else is a fault.
bool is_l1(std::uintptr_t address, std::size_t length, bool store, std::uintptr_t pc) {
    if (address - abi->l1_base < abi->l1_bytes &&
        length <= abi->l1_bytes - (address - abi->l1_base)) {
        check_stack();
        return true;
    }
    if (length == 0 || is_own(address, length, store)) return false;
    if (address < kPointerMax) fault("a pointer outside the core's L1", pc);
    if (store && within(address, 1, abi->image[0], abi->statics[0]))
        fault("a store to a constant", pc);
    const std::size_t near = 4096;
    if (touches(address - near, length + 2 * near, reinterpret_cast<const char*>(abi->image[0]),
                reinterpret_cast<const char*>(abi->image[1])) ||
        within(address, 1, abi->stack_bottom, stack_top + near))
        fault("an access past the end of its statics or its stack", pc);
    fault("a pointer outside the core's L1, its statics and its stack", pc);
}

void load(const void* at, std::size_t length, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    state.pc = pc;
    if (abi == nullptr || !is_l1(address, length, false, pc)) return;
    tell_store();
    looks.forget();
    std::uint8_t bytes[256];
    for (std::size_t done = 0; done < length;) {
        const std::size_t n = length - done < sizeof bytes ? length - done : sizeof bytes;
        abi->l1_load(static_cast<std::uint32_t>(address + done), bytes,
                     static_cast<std::uint32_t>(n));
        done += n;
    }
    if (length == 1 && !tells_commands) abi->byte_loaded(abi->commands, at);
}

// The second look at a word is a poll: only then does the core give way.
void volatile_load(const void* at, std::size_t length, std::uintptr_t pc) {
    const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at));
    state.pc = pc;
    if (abi == nullptr || !is_l1(reinterpret_cast<std::uintptr_t>(at), length, false, pc)) return;
    tell_store();
    const auto word = [address] {
        return *reinterpret_cast<const volatile std::uint32_t*>(
            static_cast<std::uintptr_t>(address & ~3u));
    };
    Look* before = looks.before(address);
    if (before == nullptr) {
        const std::uint32_t count = looks.count;
        load(at, length, pc);
        looks.count = count;
        note_look(address, word());
        return;
    }
    edges_left = abi->edge_budget;
    abi->poll_l1(address & ~3u);
    looks.note_poll(*before, word());
}

void store(const void* at, std::size_t length, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    state.pc = pc;
    if (abi == nullptr || !is_l1(address, length, true, pc)) return;
    tell_store();
    looks.forget();
    abi->l1_will_store(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(length));
    pending_address = static_cast<std::uint32_t>(address);
    pending_length = static_cast<std::uint32_t>(length);
}

// Words of 8 and 16 bytes are several of 4 to the processor.
void check_aligned(const void* at, std::size_t length, const char* text, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const std::uintptr_t mask = (length < 4 ? length : 4) - 1;
    if ((address & mask) != 0 && address < kPointerMax && abi != nullptr) fault(text, pc);
}
void load_aligned(const void* at, std::size_t length, std::uintptr_t pc) {
    check_aligned(at, length, "a load that is not aligned", pc);
    load(at, length, pc);
}
void look_aligned(const void* at, std::size_t length, std::uintptr_t pc) {
    check_aligned(at, length, "a load that is not aligned", pc);
    volatile_load(at, length, pc);
}
void store_aligned(const void* at, std::size_t length, std::uintptr_t pc) {
    check_aligned(at, length, "a store that is not aligned", pc);
    store(at, length, pc);
}

// One that reads and writes; `change` gives the new value. Returns the old one.
template <class Word, class Change>
Word exchange(volatile Word* at, std::uintptr_t pc, Change change) {
    look_aligned(const_cast<const Word*>(at), sizeof(Word), pc);
    const Word old = *at;
    store(const_cast<const Word*>(at), sizeof(Word), pc);
    *at = change(old);
    return old;
}

template <class Word>
Word compare_exchange(volatile Word* at, Word expected, Word wanted, std::uintptr_t pc) {
    look_aligned(const_cast<const Word*>(at), sizeof(Word), pc);
    const Word old = *at;
    if (old != expected) return old;
    store(const_cast<const Word*>(at), sizeof(Word), pc);
    *at = wanted;
    return old;
}

}  // namespace
}  // namespace cqfuzz::hosting

// --- entries

EXPORTED void cqfuzz_object_run(const cqfuzz::hosting::Abi* abi) {
    using namespace cqfuzz::hosting;
    cqfuzz::hosting::abi = abi;
    edges_left = abi->edge_budget;
    stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    kernel_main();
    tell_store();
}

EXPORTED const cqfuzz::hosting::ObjectState* cqfuzz_object_state() {
    return &cqfuzz::hosting::state;
}

// --- what the compiler calls

// The unaligned ones are of types that may lie anywhere (packed structs): a processor without
// unaligned accesses takes several for them.
#define ACCESS_HOOKS(n)                                                                           \
    HOOK void __tsan_read##n(void* at) { cqfuzz::hosting::load_aligned(at, n, CALLER); }          \
    HOOK void __tsan_write##n(void* at) { cqfuzz::hosting::store_aligned(at, n, CALLER); }        \
    HOOK void __tsan_unaligned_read##n(void* at) { cqfuzz::hosting::load(at, n, CALLER); }        \
    HOOK void __tsan_unaligned_write##n(void* at) { cqfuzz::hosting::store(at, n, CALLER); }      \
    HOOK void __tsan_volatile_read##n(void* at) { cqfuzz::hosting::look_aligned(at, n, CALLER); } \
    HOOK void __tsan_volatile_write##n(void* at) {                                                \
        cqfuzz::hosting::store_aligned(at, n, CALLER);                                            \
    }                                                                                             \
    HOOK void __tsan_unaligned_volatile_read##n(void* at) {                                       \
        cqfuzz::hosting::volatile_load(at, n, CALLER);                                            \
    }                                                                                             \
    HOOK void __tsan_unaligned_volatile_write##n(void* at) {                                      \
        cqfuzz::hosting::store(at, n, CALLER);                                                    \
    }                                                                                             \
    HOOK void __tsan_read_write##n(void* at) {                                                    \
        cqfuzz::hosting::load_aligned(at, n, CALLER);                                             \
        cqfuzz::hosting::store(at, n, CALLER);                                                    \
    }                                                                                             \
    HOOK void __tsan_unaligned_read_write##n(void* at) {                                          \
        cqfuzz::hosting::load(at, n, CALLER);                                                     \
        cqfuzz::hosting::store(at, n, CALLER);                                                    \
    }
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

// What the core does with L1 in one go is in one go for others too: nobody moves in between.
#define CHANGE_HOOK(bits, name, expression)                                                 \
    HOOK std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* at, \
                                                          std::uint##bits##_t value, int) { \
        using Word = std::uint##bits##_t;                                                   \
        return cqfuzz::hosting::exchange<Word>(                                             \
            at, CALLER, [value]([[maybe_unused]] Word old) { return Word(expression); });   \
    }
#define ATOMIC_HOOKS(bits)                                                                      \
    HOOK std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, \
                                                        int) {                                  \
        cqfuzz::hosting::look_aligned(const_cast<const std::uint##bits##_t*>(at), bits / 8,     \
                                      CALLER);                                                  \
        return *at;                                                                             \
    }                                                                                           \
    HOOK void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at,                     \
                                          std::uint##bits##_t value, int) {                     \
        cqfuzz::hosting::store_aligned(const_cast<const std::uint##bits##_t*>(at), bits / 8,    \
                                       CALLER);                                                 \
        *at = value;                                                                            \
    }                                                                                           \
    CHANGE_HOOK(bits, exchange, value)                                                          \
    CHANGE_HOOK(bits, fetch_add, old + value)                                                   \
    CHANGE_HOOK(bits, fetch_sub, old - value)                                                   \
    CHANGE_HOOK(bits, fetch_and, old& value)                                                    \
    CHANGE_HOOK(bits, fetch_or, old | value)                                                    \
    CHANGE_HOOK(bits, fetch_xor, old ^ value)                                                   \
    CHANGE_HOOK(bits, fetch_nand, ~(old & value))                                               \
    HOOK std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                        \
        volatile std::uint##bits##_t* at, std::uint##bits##_t expected,                         \
        std::uint##bits##_t wanted, int, int) {                                                 \
        return cqfuzz::hosting::compare_exchange(at, expected, wanted, CALLER);                 \
    }
ATOMIC_HOOKS(8)
ATOMIC_HOOKS(16)
ATOMIC_HOOKS(32)
ATOMIC_HOOKS(64)
HOOK void __tsan_atomic_thread_fence(int) {}
HOOK void __tsan_atomic_signal_fence(int) {}

HOOK void __tsan_init() {}
HOOK void __tsan_func_entry(void*) {}
HOOK void __tsan_func_exit() {}
HOOK void __tsan_vptr_read(void**) {}
HOOK void __tsan_vptr_update(void**, void*) {}
HOOK void __tsan_ignore_thread_begin() {}
HOOK void __tsan_ignore_thread_end() {}

static void* copy(void* to, const void* from, std::size_t n, std::uintptr_t pc) {
    cqfuzz::hosting::load(from, n, pc);
    cqfuzz::hosting::store(to, n, pc);
    auto* out = static_cast<volatile std::uint8_t*>(to);
    const auto* in = static_cast<const volatile std::uint8_t*>(from);
    if (out <= in)
        for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
    else
        for (std::size_t i = n; i-- > 0;) out[i] = in[i];
    return to;
}
static void* fill(void* to, int value, std::size_t n, std::uintptr_t pc) {
    cqfuzz::hosting::store(to, n, pc);
    auto* out = static_cast<volatile std::uint8_t*>(to);
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint8_t>(value);
    return to;
}
HOOK void* memcpy(void* to, const void* from, std::size_t n) { return copy(to, from, n, CALLER); }
HOOK void* memmove(void* to, const void* from, std::size_t n) { return copy(to, from, n, CALLER); }
HOOK void* memset(void* to, int value, std::size_t n) { return fill(to, value, n, CALLER); }
HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t n) {
    return copy(to, from, n, CALLER);
}
HOOK void* __tsan_memmove(void* to, const void* from, std::size_t n) {
    return copy(to, from, n, CALLER);
}
HOOK void* __tsan_memset(void* to, int value, std::size_t n) { return fill(to, value, n, CALLER); }

HOOK void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* begin, std::uint32_t* end) {
    for (std::uint32_t* guard = begin; guard != end; ++guard)
        if (*guard == 0) *guard = ++cqfuzz::hosting::state.edges;
}
HOOK void __sanitizer_cov_trace_pc_guard(const std::uint32_t* guard) {
    using namespace cqfuzz::hosting;
    if (abi == nullptr) return;
    std::uint8_t& hits = abi->edges[*guard % kEdgesMax];
    hits = static_cast<std::uint8_t>(hits == 255 ? 255 : hits + 1);
    state.pc = CALLER;
    if (edges_left-- == 0) {
        fault("a loop without a poll or a call of the device", CALLER);
    }
}

// --- what the compiler checks (kernel_build.cpp)

namespace cqfuzz::hosting {
namespace {

// How clang names a place in what it hands over.
struct SourcePlace {
    const char* file;
    std::uint32_t line;
    std::uint32_t column;
};

// Calls that return to nobody are merged, and have no line: the text says where.
[[noreturn]] void fault_at(const char* text, const SourcePlace& place) {
    static char message[256];
    std::size_t used = 0;
    const auto add = [&used](const char* more) {
        while (*more != 0 && used + 1 < sizeof message) message[used++] = *more++;
    };
    const char* file = place.file;
    for (const char* c = file; *c != 0; ++c)
        if (*c == '/') file = c + 1;
    char digits[11] = {};
    std::size_t first = sizeof digits - 1;
    for (std::uint32_t rest = place.line; first == sizeof digits - 1 || rest != 0; rest /= 10)
        digits[--first] = static_cast<char>('0' + rest % 10);
    add(text), add(", at "), add(file), add(":"), add(digits + first);
    fault(message, 0);
}

}  // namespace
}  // namespace cqfuzz::hosting

HOOK void __ubsan_handle_out_of_bounds(void*, std::uintptr_t) {
    cqfuzz::hosting::fault("an index past the end of an array", CALLER);
}
HOOK void __ubsan_handle_divrem_overflow(void*, std::uintptr_t, std::uintptr_t) {
    cqfuzz::hosting::fault("a division by zero", CALLER);
}
HOOK void __ubsan_handle_builtin_unreachable(const cqfuzz::hosting::SourcePlace* place) {
    cqfuzz::hosting::fault_at("code that cannot be reached", *place);
}
HOOK void __ubsan_handle_missing_return(const cqfuzz::hosting::SourcePlace* place) {
    cqfuzz::hosting::fault_at("a function that ends without its value", *place);
}

// --- the port, as the headers declare it

namespace cqfuzz::device {

namespace {
const hosting::Abi& port() {
    hosting::action();
    return *hosting::abi;
}
const hosting::Abi& polls() {
    hosting::look();
    return *hosting::abi;
}
}  // namespace

#define AT hosting::state.pc = CALLER
void register_write(std::uint32_t noc, std::uint32_t buffer, Register which, std::uint32_t value) {
    AT, port().register_write(noc, buffer, which, value);
}
std::uint32_t register_read(std::uint32_t noc, std::uint32_t buffer, Register which) {
    return AT, port().register_read(noc, buffer, which);
}
void wait_command_buffer_ready(std::uint32_t noc, std::uint32_t buffer) {
    AT, port().wait_command_buffer_ready(noc, buffer);
}
void noc_send(std::uint32_t noc, std::uint32_t buffer) { AT, port().noc_send(noc, buffer); }
void note_receivers(std::uint32_t noc, std::uint32_t buffer, std::uint32_t receivers) {
    AT, port().note_receivers(noc, buffer, receivers);
}
std::uint32_t poll_hardware_counter(std::uint32_t noc, HardwareCounter which) {
    AT, hosting::look();
    const std::uint32_t number =
        hosting::kCounterLook | noc << 8 | static_cast<std::uint32_t>(which);
    hosting::Look* before = hosting::looks.before(number);
    if (before == nullptr) {
        const std::uint32_t value = hosting::abi->read_hardware_counter(noc, which);
        hosting::note_look(number, value);
        return value;
    }
    const std::uint32_t value = hosting::abi->poll_hardware_counter(noc, which);
    hosting::looks.note_poll(*before, value);
    return value;
}
std::uint32_t read_hardware_counter(std::uint32_t noc, HardwareCounter which) {
    return AT, polls().read_hardware_counter(noc, which);
}
std::uint32_t& software_counter(std::uint32_t noc, SoftwareCounter which) {
    return AT, polls().software_counter(noc, which);
}
std::uint32_t poll_l1(std::uint32_t address) { return AT, polls().poll_l1(address); }
std::uint16_t poll_l1_u16(std::uint32_t address) { return AT, polls().poll_l1_u16(address); }
void l1_load(std::uint32_t address, void* to, std::uint32_t length) {
    AT, port().l1_load(address, to, length);
}
void l1_store(std::uint32_t address, const void* from, std::uint32_t length) {
    AT, port().l1_store(address, from, length);
}
std::uint32_t my_x() { return AT, port().my_x(); }
std::uint32_t my_y() { return AT, port().my_y(); }
void pause() { AT, port().pause(); }
void waypoint(const char* what) { AT, port().waypoint(what); }
void command_begin(std::uint32_t id, std::uint32_t address) {
    hosting::tells_commands = true;
    AT, port().command_begin(id, address);
}
void command_end(std::uint32_t next_address) { AT, port().command_end(next_address); }
void firmware_assert_failed(const char* text) {
    AT, hosting::action();
    hosting::fault(text, CALLER);
}

}  // namespace cqfuzz::device
