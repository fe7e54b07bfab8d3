// SPDX-License-Identifier: MIT
// Boxes over the picture that take the keys while they are open.
#ifndef IODUEL_SCREEN_DIALOG_H
#define IODUEL_SCREEN_DIALOG_H

enum dialog_kind { DIALOG_NONE, DIALOG_HELP };

struct dialog {
	enum dialog_kind kind;
	int selected, top;
};

#endif
