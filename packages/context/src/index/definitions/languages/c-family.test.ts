import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('functions of old and new style, types, members in and out of their class, and macros are found; forward declarations are not', () => {
  const text = `
#include <vector>
#define SQUARE(x) \\
  ((x) * (x))
#define LIMIT 10
#define GUARD_H

class Forward;
struct Other* make(int a);

namespace app::core {
namespace {
const int kTable[] = {1, 2, 3};
}

template <typename T, class = std::enable_if_t<(sizeof(T) > 1)>>
class Vec final : public Base<T> {
 public:
  Vec() : size_{0}, data_(nullptr) {}
  explicit Vec(size_t n);
  ~Vec() override;
  T& operator[](size_t i) { return data_[i]; }
  bool operator==(const Vec& o) const = default;
  operator bool() const { return true; }
  static constexpr int kMax = 3;
  using value_type = T;
  enum class Mode : int { kFast, kSlow };
  struct Node {
    int x;
  } root_;
 private:
  size_t size_;
  std::function<void(int)> cb_;
};

template <typename T>
Vec<T>::Vec(size_t n)
    : size_(n),
      data_{new T[n]} {
  auto f = [](int x) { return x; };
}

template <>
void Vec<int>::push(int x) const noexcept {
  const char* s = R"x( } " )x";
  int n = 1'000;
}

static inline std::vector<int>
sorted(std::vector<int> v)
{
#ifdef A
  if (a) {
#else
  if (b) {
#endif
  }
  return v;
}

int add(int a, int b) ABSL_LOCKS_EXCLUDED(mutex_) {
  return a + b;
}

typedef struct {
  int x;
} point_t;

typedef int (*callback)(void*);
using Alias = int;

extern "C" {
void c_api(void) {}
}

TEST(Suite, DoesThings) {
  EXPECT_EQ(1, 1);
}
}  // namespace app::core

union U { int a; float b; };
int main(argc, argv)
  int argc;
  char **argv;
{
  return 0;
}
`;

  expect(outline('a.cpp', text)).toEqual([
    '2-3 macro SQUARE',
    '4-4 constant LIMIT',
    '10-78 module app > core',
    '12-12 constant core > kTable',
    '16-33 class core > Vec',
    '18-18 method Vec > Vec',
    '19-19 method Vec > Vec',
    '20-20 method Vec > ~Vec',
    '21-21 method Vec > operator[]',
    '22-22 method Vec > operator==',
    '23-23 method Vec > operator bool',
    '24-24 constant Vec > kMax',
    '25-25 type Vec > value_type',
    '26-26 enum Vec > Mode',
    '27-29 class Vec > Node',
    '27-29 constant Vec > root_',
    '36-40 method Vec > Vec',
    '43-46 method Vec > push',
    '48-58 function core > sorted',
    '60-62 function core > add',
    '64-66 type core > point_t',
    '68-68 type core > callback',
    '69-69 type core > Alias',
    '72-72 function core > c_api',
    '75-77 function Suite > DoesThings',
    '80-80 class U',
    '81-86 function main',
  ]);
});

test('a prototype counts in a header', () => {
  const text = `
#ifndef A_H
#define A_H
typedef struct uv_loop_s uv_loop_t;
struct forward;
UV_EXTERN int uv_run(uv_loop_t*,
                     uv_run_mode mode);
CURL_EXTERN CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...);
enum uv_mode { UV_A = 0, UV_B };
static inline int twice(int x) { return x * 2; }
extern int counter;
__attribute__((noreturn)) void die(const char *why);
int (*hook)(void);
#endif
`;

  expect(outline('a.h', text)).toEqual([
    '3-3 type uv_loop_t',
    '5-6 function uv_run',
    '7-7 function curl_easy_setopt',
    '8-8 enum uv_mode',
    '9-9 function twice',
    '11-11 function die',
  ]);
});

test('Objective-C classes reach to their @end', () => {
  const text = `
#import <Foundation/Foundation.h>
@interface Foo : NSObject
- (void)run:(int)x with:(id)y;
@end
@implementation Foo
- (void)run:(int)x with:(id)y {
  if (x) { [self go]; }
}
+ (instancetype)make { return [self new]; }
@end
static int helper(void) {
  return 1;
}
`;

  expect(outline('a.m', text)).toEqual([
    '2-4 class Foo',
    '3-3 method Foo > run',
    '5-10 class Foo',
    '6-8 method Foo > run',
    '9-9 method Foo > make',
    '11-13 function helper',
  ]);
});
