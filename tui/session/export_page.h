// SPDX-License-Identifier: MIT
// The fixed parts of the page: everything up to the style's end, and the script.
#ifndef IODUEL_EXPORT_PAGE_H
#define IODUEL_EXPORT_PAGE_H

extern const char export_page_head[]; // ends inside <style>
extern const char export_page_tail[];

#endif
