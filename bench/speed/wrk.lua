-- Options for wrk, besides repeated requests. Arguments after `--`:
--   targets FILE FIRST   requests the paths in FILE one after another, from line FIRST, once each
--   check STATUS FILE    compares every body with the one in FILE, ignoring digits
-- Both may be given. The result is one line of JSON with exact numbers; wrk's own text is rounded.

local threads = {}
wrong = 0

function setup(thread)
  table.insert(threads, thread)
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Counts change with each request, in /me even in the body.
local function without_digits(text)
  return (text:gsub("%d", "0"):gsub("0+", "0"))
end

function init(args)
  local i = 1
  while i <= #args do
    if args[i] == "targets" then
      local targets, at = {}, tonumber(args[i + 2])
      for line in io.lines(args[i + 1]) do
        table.insert(targets, wrk.format("GET", line))
      end
      function request()
        at = at % #targets + 1
        return targets[at]
      end
      i = i + 3
    else
      local expected_status, path = tonumber(args[i + 1]), args[i + 2]
      local expected = read(path)
      local similar = without_digits(expected)
      function response(status, headers, body)
        if status ~= expected_status or (body ~= expected and without_digits(body) ~= similar) then
          wrong = wrong + 1
        end
      end
      i = i + 3
    end
  end
end

function done(summary, latency)
  local wrong_in_all = 0
  for _, thread in ipairs(threads) do
    wrong_in_all = wrong_in_all + (thread:get("wrong") or 0)
  end
  local errors = summary.errors
  io.write(string.format(
    '\nresult {"requests":%d,"bytes":%d,"us":%d,"statusErrors":%d,"socketErrors":%d,"wrong":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.bytes, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, wrong_in_all,
    latency:percentile(50), latency:percentile(99)))
end
