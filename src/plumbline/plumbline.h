// Everything that a program with a stream needs: `#include <plumbline/plumbline.h>`.
#pragma once

#include "plumbline/calibrators/registry.h"
#include "plumbline/core/batch.h"
#include "plumbline/core/error.h"
#include "plumbline/core/schema.h"
#include "plumbline/core/version.h"
#include "plumbline/learners/registry.h"
#include "plumbline/metrics/registry.h"
#include "plumbline/model/config.h"
#include "plumbline/model/model.h"
#include "plumbline/model/prequential.h"
#include "plumbline/policies/registry.h"
#include "plumbline/rewards/registry.h"
#include "plumbline/streams/generators/drift.h"
#include "plumbline/streams/generators/registry.h"
