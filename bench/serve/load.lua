-- The requests of one kind for wrk: LUA_KIND is predict, remember, learn, predict_lines or learn_lines. LUA_RATE is the
-- number of requests a second; 0, as fast as they are answered. LUA_SERVER is plumbline, mlserver or chantilly; the rows
-- are the same, except that MLServer's have the category as a number.
local kind = os.getenv("LUA_KIND")
local rows_per_request = tonumber(os.getenv("LUA_ROWS") or "1000")
local prefix = os.getenv("LUA_PREFIX") or "w"
local count = 0

wrk.method = "POST"
local server = os.getenv("LUA_SERVER") or "plumbline"
local what = string.find(kind, "learn") and "learn" or "predict"
wrk.path = ({plumbline = "/v1/models/default/" .. what, chantilly = "/api/" .. what,
             mlserver = "/v2/models/default/infer"})[server]
wrk.headers["Content-Type"] = string.find(kind, "lines") and "application/x-ndjson" or "application/json"

local thread_number = 0
function setup(thread)
  thread:set("number", thread_number)
  thread_number = thread_number + 1
end

local function row()
  local x, y = math.random(), math.random()
  local text = string.format('{"x1":%.6f,"x2":%.6f,"x3":%.6f,"x4":%.6f,"x5":%.6f,"x6":%.6f,"x7":%.6f,"place":"p%d"}',
    x, y, math.random(), math.random(), math.random(), math.random(), math.random(), math.random(8))
  return text, (x + y + 0.3 * math.random() > 1.15) and 1 or 0
end

local function item()
  count = count + 1
  local text, label = row()
  if server == "mlserver" then
    local numbers = string.gsub(string.gsub(text, '"p(%d)"', "%1"), '[{}"%a]+%d*":', "")
    return '{"inputs":[{"name":"predict","shape":[1,8],"datatype":"FP64","data":[' .. string.gsub(numbers, "}", "")
      .. ']}],"outputs":[{"name":"predict_proba"}]}'
  elseif server == "chantilly" then
    local truth = kind == "learn" and ',"ground_truth":' .. (label == 1 and "true" or "false") or ""
    return '{"features":' .. text .. truth .. "}"
  end
  if kind == "remember" then
    return string.format('{"id":"%s-%d-%d","row":%s}', prefix, number or 0, count, text)
  elseif kind == "learn" then
    return string.format('{"id":"%s-%d-%d","row":%s,"label":%d}', prefix, number or 0, count, text, label)
  elseif kind == "learn_lines" then
    return string.format('{"row":%s,"label":%d}', text, label)
  end
  return '{"row":' .. text .. '}'
end

-- Made before the clock starts: the generator shares the processors with the server.
local prepared = {}
function init(args)
  math.randomseed(number or 0)
  if string.find(kind, "lines") then
    for i = 1, 20 do
      local lines = {}
      for j = 1, rows_per_request do lines[j] = item() end
      prepared[i] = wrk.format(nil, nil, nil, table.concat(lines, "\n"))
    end
  elseif kind == "predict" then
    for i = 1, 2000 do prepared[i] = wrk.format(nil, nil, nil, item()) end
  end
end

local turn = 0
function request()
  if #prepared == 0 then return wrk.format(nil, nil, nil, item()) end
  turn = turn % #prepared + 1
  return prepared[turn]
end

-- Requests have planned times; one that is late is sent at once.
local rate = tonumber(os.getenv("LUA_RATE") or "0")
if rate > 0 then
  local ffi = require("ffi")
  ffi.cdef("typedef struct { long s, ns; } time_of_clock; int clock_gettime(int, time_of_clock*);")
  local time = ffi.new("time_of_clock")
  local planned
  function delay()
    ffi.C.clock_gettime(1, time)  -- the monotonic clock
    local now = tonumber(time.s) * 1e3 + tonumber(time.ns) / 1e6
    planned = math.max((planned or now) + 1e3 / rate, now - 1000)
    return math.max(0, planned - now)
  end
end

function done(summary, latency, requests)
  io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
