// The one place where fmt is compiled, with this build's own flags: sources that include only
// fmt/core.h then take two seconds where the header-only library takes nine.

#include "fmt/format-inl.h"

FMT_BEGIN_NAMESPACE
namespace detail {

// What fmt/core.h and fmt/format.h declare and leave to the library.
template FMT_API void buffer<char>::append(const char*, const char*);
#if FMT_VERSION < 100000
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API void vformat_to(buffer<char>&, string_view,
                                 basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
#else
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
#if FMT_VERSION < 110000
template FMT_API void vformat_to(buffer<char>&, string_view, typename vformat_args<>::type,
                                 locale_ref);
#endif
#endif
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail

#if FMT_VERSION < 110000
template FMT_API detail::locale_ref::locale_ref(const std::locale& loc);
template FMT_API auto detail::locale_ref::get<std::locale>() const -> std::locale;
#endif
FMT_END_NAMESPACE
