-- One thread of wrk: each connection sends until the time is up, and the load ends when every connection has received its last answer. wrk
-- alone would cut them off, and the rows of those requests would have no answers to compare with. Arguments: a file of requests (each
-- behind a line with its length), "again" or "once", seconds, connections.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } moment;
  int clock_gettime(int clock, moment *now);
  int getpid(void);
  int kill(int pid, int signal);
]]
local monotonic, interrupt = 1, 2
local at = ffi.new("moment")

local function now()
  ffi.C.clock_gettime(monotonic, at)
  return tonumber(at.seconds) + tonumber(at.nanoseconds) / 1e9
end

local thread
function setup(only)
  thread = only
end

local file, again, seconds, connections, over
local held = {}
function init(args)
  file, again, seconds, connections = io.open(args[1], "rb"), args[2] == "again", tonumber(args[3]), tonumber(args[4])
  first, last, over = 0, 0, 0
end

local function read()
  local length = file:read("*l")
  return length and file:read(tonumber(length))
end

local only
function request()
  if again then
    only = only or read()
    return only
  end
  return table.remove(held) or read()
end

-- wrk calls this before each request, which is after each answer. The load also ends when every prepared request was sent.
function delay()
  last = now()
  if first == 0 then first = last end
  if last - first < seconds then
    local prepared = again or read()
    if prepared then
      if not again then table.insert(held, prepared) end
      return 0
    end
  end
  over = over + 1
  if over == connections then ffi.C.kill(ffi.C.getpid(), interrupt) end
  return 3600000
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"refused":%d,"broken":%d,"seconds":%.4f,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    thread:get("last") - thread:get("first"), latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
