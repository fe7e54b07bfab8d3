// SPDX-License-Identifier: MIT
// What sysfs tells about a queue and about the hardware behind it. One rule:
// an attribute that is missing is unknown; where the device sits is read off
// its sysfs path, which is the machine's own wiring diagram.

#include "walk.h"

#include <ctype.h>
#include <libudev.h>
#include <string.h>

void
disk_read_queue(const struct sysroot *root, const char *dir, struct layer *layer)
{
	char text[256];
	uint64_t value;
	if (sysroot_read_u64(root, &value, "%s/queue/rotational", dir) == 0 && value <= 1)
		layer->rotational = (int)value;
	if (sysroot_read(root, text, sizeof(text), "%s/queue/write_cache", dir) > 0) {
		if (strcmp(text, "write back") == 0)
			layer->write_cache = 1;
		else if (strcmp(text, "write through") == 0)
			layer->write_cache = 0;
	}
	if (sysroot_read_u64(root, &value, "%s/queue/discard_max_bytes", dir) == 0)
		layer->discard = value > 0;
	if (sysroot_read_u64(root, &value, "%s/queue/nr_requests", dir) == 0 && value <= UINT32_MAX)
		layer->queue_depth = (unsigned)value;
	if (sysroot_read(root, text, sizeof(text), "%s/queue/scheduler", dir) <= 0)
		return;
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	if (close && (size_t)(close - open) < sizeof(layer->scheduler)) {
		memcpy(layer->scheduler, open + 1, (size_t)(close - open - 1));
		layer->scheduler[close - open - 1] = '\0';
	} else if (!open) {
		text_copy(layer->scheduler, sizeof(layer->scheduler), text); // bio-based devices have "none" alone
	}
}

// Udev's database knows the model in full where sysfs cuts it at 16 characters.
static void
model_of_udev(struct layer *layer)
{
	struct udev *udev = udev_new();
	struct udev_device *device = udev && layer->has_dev
		? udev_device_new_from_devnum(udev, 'b', (dev_t)((uint64_t)layer->major << 8 | (layer->minor & 0xff) |
								 (uint64_t)(layer->minor & ~0xffu) << 12))
		: NULL;
	const char *model = device ? udev_device_get_property_value(device, "ID_MODEL") : NULL;
	if (model && strlen(model) > strlen(layer->model)) {
		text_copy(layer->model, sizeof(layer->model), model);
		for (char *p = layer->model; *p; p++)
			if (*p == '_')
				*p = ' ';
	}
	udev_device_unref(device);
	udev_unref(udev);
}

static void
read_model(const struct sysroot *root, const char *dir, struct layer *layer)
{
	char vendor[64], model[96];
	if (sysroot_read(root, model, sizeof(model), "%s/device/model", dir) <= 0 &&
	    sysroot_read(root, model, sizeof(model), "%s/device/name", dir) <= 0) { // MMC
		if (strstr(dir, "/virtio"))
			text_copy(layer->model, sizeof(layer->model), "virtio disk");
		return;
	}
	// ATA disks all say "ATA" here; others their maker
	if (sysroot_read(root, vendor, sizeof(vendor), "%s/device/vendor", dir) > 0 && strcmp(vendor, "ATA") != 0 &&
	    strncmp(vendor, "0x", 2) != 0)
		text_append(layer->model, sizeof(layer->model), "%s ", vendor);
	text_append(layer->model, sizeof(layer->model), "%s", model);
}

// "0000:3d:00.0"
static bool
is_pci_function(const char *name, size_t n)
{
	size_t i = 0, digits = 0;
	for (; i < n && isxdigit((unsigned char)name[i]); i++)
		digits++;
	if (digits < 4 || n != digits + 8)
		return false;
	const char *p = name + i;
	return p[0] == ':' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2]) && p[3] == ':' &&
	       isxdigit((unsigned char)p[4]) && isxdigit((unsigned char)p[5]) && p[6] == '.' &&
	       isxdigit((unsigned char)p[7]);
}

// "1-2", "1-2.3": a device or hub on a USB bus.
static bool
is_usb_device(const char *name, size_t n)
{
	size_t i = 0;
	while (i < n && isdigit((unsigned char)name[i]))
		i++;
	if (i == 0 || i >= n || name[i] != '-')
		return false;
	for (i++; i < n; i++)
		if (!isdigit((unsigned char)name[i]) && name[i] != '.')
			return false;
	return true;
}

// The parts of a device's path that end with its controller (the deepest PCI
// function, or the hub or bus that its USB device is plugged into) and with the
// end of its wire (the same function, the USB device itself).
static bool
controller_of(const char *dir, char *ret, char *ret_wire, size_t size)
{
	size_t pci_end = 0, usb_parent = 0, usb_end = 0;
	for (const char *p = dir; *p;) {
		size_t n = strcspn(p, "/"), end = (size_t)(p - dir) + n;
		if (is_pci_function(p, n)) {
			pci_end = end;
		} else if (is_usb_device(p, n)) {
			usb_parent = (size_t)(p - dir) - 1;
			usb_end = end;
		}
		p += n;
		p += *p == '/';
	}
	size_t end = usb_end > pci_end ? usb_parent : pci_end, wire_end = usb_end > pci_end ? usb_end : pci_end;
	if (end == 0 || wire_end >= size)
		return false;
	memcpy(ret, dir, end);
	ret[end] = '\0';
	memcpy(ret_wire, dir, wire_end);
	ret_wire[wire_end] = '\0';
	return true;
}

static void
read_link(const struct sysroot *root, const char *pci, struct layer *layer)
{
	char speed[32], width[16], max_speed[32], max_width[16];
	if (sysroot_read(root, speed, sizeof(speed), "%s/current_link_speed", pci) <= 0 ||
	    sysroot_read(root, width, sizeof(width), "%s/current_link_width", pci) <= 0 ||
	    strstr(speed, "Unknown") || strcmp(width, "0") == 0 || strcmp(width, "255") == 0)
		return;
	char *unit = strstr(speed, " PCIe"); // "16.0 GT/s PCIe"
	if (unit)
		*unit = '\0';
	text_append(layer->link, sizeof(layer->link), "PCIe %s x%s", speed, width);
	if (sysroot_read(root, max_speed, sizeof(max_speed), "%s/max_link_speed", pci) <= 0 ||
	    sysroot_read(root, max_width, sizeof(max_width), "%s/max_link_width", pci) <= 0 ||
	    strstr(max_speed, "Unknown"))
		return;
	unit = strstr(max_speed, " PCIe");
	if (unit)
		*unit = '\0';
	if (strcmp(speed, max_speed) != 0 || strcmp(width, max_width) != 0)
		text_append(layer->link, sizeof(layer->link), " of %s x%s", max_speed, max_width);
}

// SATA: ataN/link... is told by the class directory of the port.
static void
read_sata_link(const struct sysroot *root, const char *dir, struct layer *layer)
{
	const char *ata = strstr(dir, "/ata");
	unsigned port;
	char speed[32];
	if (!ata || sscanf(ata, "/ata%u/", &port) != 1 ||
	    sysroot_read(root, speed, sizeof(speed), "sys/class/ata_link/link%u/sata_spd", port) <= 0 ||
	    strstr(speed, "unknown"))
		return;
	text_append(layer->link, sizeof(layer->link), "SATA %s", speed);
}

static void
read_wiring(const struct sysroot *root, const char *dir, struct layer *layer)
{
	char device[SYSPATH_MAX], text[64];
	if (sysroot_real_path(root, device, sizeof(device), "%s/device", dir) < 0)
		text_copy(device, sizeof(device), dir);
	const char *path = strncmp(dir, "sys/devices/", 12) == 0 && !strstr(dir, "/virtual/") ? dir : device;
	char controller[SYSPATH_MAX], wire[SYSPATH_MAX];
	if (!controller_of(path, controller, wire, sizeof(controller)))
		return;
	text_copy(layer->controller, sizeof(layer->controller), controller);
	if (strstr(path, "/usb")) {
		if (sysroot_read(root, text, sizeof(text), "%s/speed", wire) > 0)
			text_append(layer->link, sizeof(layer->link), "USB %s Mbit/s", text);
	} else if (strstr(path, "/ata")) {
		read_sata_link(root, path, layer);
	} else {
		read_link(root, wire, layer);
	}
}

// NVMe over a network: its controller says how it is reached.
static bool
read_fabric(const struct sysroot *root, const char *dir, struct layer *layer)
{
	char transport[16];
	if (sysroot_read(root, transport, sizeof(transport), "%s/device/transport", dir) <= 0 ||
	    (strcmp(transport, "tcp") != 0 && strcmp(transport, "rdma") != 0 && strcmp(transport, "fc") != 0))
		return false;
	text_append(layer->detail, sizeof(layer->detail), "%sNVMe over %s", layer->detail[0] ? ", " : "", transport);
	return true;
}

// Disks that are not hardware: memory and the network in a disk's clothes.
static void
read_nature(const struct sysroot *root, const char *dir, struct layer *layer)
{
	char device[SYSPATH_MAX];
	const char *name = layer->name;
	bool has_device = sysroot_real_path(root, device, sizeof(device), "%s/device", dir) == 0;
	layer->physical = has_device || layer->kind == LAYER_MULTIPATH;
	if ((layer->has_dev && layer->major == 1) || strncmp(name, "pmem", 4) == 0 || strncmp(name, "nullb", 5) == 0) {
		bool persistent = strncmp(name, "pmem", 4) == 0;
		layer->kind = persistent ? LAYER_DISK : LAYER_MEMORY;
		layer->physical = persistent;
		text_copy(layer->detail, sizeof(layer->detail),
			  persistent ? "persistent memory" : strncmp(name, "nullb", 5) == 0 ? "null device" : "RAM disk");
	} else if (strncmp(name, "nbd", 3) == 0 || strncmp(name, "rbd", 3) == 0 || strncmp(name, "drbd", 4) == 0) {
		layer->kind = LAYER_NETWORK;
		layer->physical = false;
		text_copy(layer->detail, sizeof(layer->detail), "network block device");
	} else if (has_device && strstr(device, "/session") && strstr(device, "/target")) {
		layer->kind = LAYER_NETWORK;
		layer->physical = false;
		text_copy(layer->detail, sizeof(layer->detail), "iSCSI");
	} else if (has_device && read_fabric(root, dir, layer)) {
		layer->kind = LAYER_NETWORK;
		layer->physical = false;
	} else if (strncmp(name, "zd", 2) == 0 && isdigit((unsigned char)name[2])) {
		text_copy(layer->detail, sizeof(layer->detail), "ZFS volume: its pool is not told by the kernel");
	}
}

void
disk_read_hardware(const struct sysroot *root, const char *dir, struct layer *layer)
{
	read_nature(root, dir, layer);
	read_model(root, dir, layer);
	if (!sysroot_is_recorded(root))
		model_of_udev(layer);
	read_wiring(root, dir, layer);
}
