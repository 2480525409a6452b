// What a program sees of the shared library; everything else in it is hidden.
#pragma once

#define ROOFTUNE_PUBLIC __attribute__((visibility("default")))
/// For what a public class holds inside.
#define ROOFTUNE_HIDDEN __attribute__((visibility("hidden")))
