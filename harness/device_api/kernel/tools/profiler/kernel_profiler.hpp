// Zones of a profiler: nobody measures here.
#pragma once

#define DeviceZoneScopedN(name)
#define DeviceZoneScopedND(name, ...)
#define DeviceZoneScopedMainN(name)
#define DeviceZoneScopedMainChildN(name)
#define DeviceZoneScopedSumN1(name)
#define DeviceZoneScopedSumN2(name)
#define DeviceZoneSetCounter(counter)
#define DeviceTimestampedData(...)
#define DeviceRecordEvent(...)
#define DeviceValidateProfiler(condition)
