#include "base/assert.h"

#include <stddef.h>

#include "base/banned.h"

jw_assert_failed *jw_assert_hook = NULL;
