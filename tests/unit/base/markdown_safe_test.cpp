#include "tests/support/catch.h"
#include "tuner/base/text_width.h"

using rooftune::markdown_safe;

TEST_CASE("a text on a page of Markdown: no markup, no link, no image, no address of one") {
    CHECK(markdown_safe("<script>a</script>") == "&lt;script>a&lt;/script>");
    CHECK(markdown_safe("[a](javascript:alert(1))") == "[a]\\(javascript:alert(1))");
    CHECK(markdown_safe("![a](http://x/y.png)") == "![a]\\(http://x/y.png)");
    CHECK(markdown_safe("[a]: javascript:x") == "[a]\\: javascript:x");
    CHECK(markdown_safe("text\n  [a]: x") == "text\n  [a]\\: x");
    CHECK(markdown_safe("The product is 10.1 [9.06, 11.1]: it agrees") ==
          "The product is 10.1 [9.06, 11.1]: it agrees");
    CHECK(markdown_safe("1.02 [0.98, 1.05] (8 rounds)") == "1.02 [0.98, 1.05] (8 rounds)");
    CHECK(markdown_safe("").empty());
}
