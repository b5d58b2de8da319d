/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_EXPORT_H
#define ACPHYS_EXPORT_H

/** @file export.h
 * Symbol visibility and call annotations used by every public header. */

#if defined(_WIN32) && defined(ACP_SHARED)
#if defined(ACP_BUILDING)
#define ACP_API __declspec(dllexport)
#else
#define ACP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define ACP_API __attribute__((visibility("default")))
#else
#define ACP_API
#endif

/* A result that must be looked at. */
#if defined(__GNUC__)
#define ACP_MUST_CHECK __attribute__((warn_unused_result))
#else
#define ACP_MUST_CHECK
#endif

/* Compile-time assertion in C11, C17 and C++17 alike. */
#if defined(__cplusplus)
#define ACP_STATIC_ASSERT(condition, message) static_assert(condition, message)
#else
#define ACP_STATIC_ASSERT(condition, message) _Static_assert(condition, message)
#endif

#endif
