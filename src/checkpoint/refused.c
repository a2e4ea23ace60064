#include "checkpoint/refused.h"

#include <string.h>
#include <strings.h>

#define INSTEAD "take the original model in safetensors (`sotto convert` makes a GGUF file of it), or a GGUF file of it"
#define PICKLES "PyTorch's pickles, which can run code and are never opened: take the model's safetensors files," \
                " or a GGUF file of it"
#define ORIGINAL "take the unquantised model in safetensors, or a GGUF file of it"

/* Whether a name is a pattern, in which '*' may stand once, for anything. */
static bool matches(const char *name, const char *pattern)
{
	size_t len = strlen(name), before = strcspn(pattern, "*"), n = strlen(pattern);

	if (!pattern[before])
		return strcasecmp(name, pattern) == 0;
	return len >= n - 1 && strncasecmp(name, pattern, before) == 0 &&
	       strcasecmp(name + len - (n - 1 - before), pattern + before + 1) == 0;
}

static const char *base_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

/* The first row of which there is a file counts. */
static const struct {
	const char *pattern, *what;
	bool always; /* also where there are safetensors files */
} kinds[] = {
	{"adapter_config.json", "a LoRA adapter, which is not a model: merge it into its model (PEFT's merge_and_unload) and"
	 " convert that", true},
	{"adapter_model.*", "a LoRA adapter, which is not a model: merge it into its model (PEFT's merge_and_unload) and"
	 " convert that", true},
	{"model_index.json", "a model that makes pictures (diffusers), which does not chat: take a language model", true},
	{"quant_strategy.json", "a model that EXL has quantised: " ORIGINAL, true},
	/* Beside an index that is left of the original. */
	{"output*.safetensors", "an EXL2 model, for ExLlama: " ORIGINAL, true},
	{"gptq_model*.safetensors", "the model is quantised by GPTQ, whose weights are packed for GPUs: " ORIGINAL, true},
	{"weights.*.safetensors", "an MLX model, for Apple's engine: " ORIGINAL, true},
	{"*.onnx", "an ONNX model, a graph for another engine: " INSTEAD, false},
	{"*.onnx_data", "an ONNX model, a graph for another engine: " INSTEAD, false},
	{"*.onnx.data", "an ONNX model, a graph for another engine: " INSTEAD, false},
	{"onnx", "an ONNX model, a graph for another engine: " INSTEAD, false}, /* the folder of its files */
	{"*.mlpackage", "a Core ML model, for Apple's engine: " INSTEAD, false},
	{"*.mlmodel", "a Core ML model, for Apple's engine: " INSTEAD, false},
	{"weights.npz", "an MLX model, for Apple's engine: " INSTEAD, false},
	{"*.npz", "NumPy arrays, which say nothing of the model they belong to: " INSTEAD, false},
	{"*.exl2", "an EXL2 model, for ExLlama: " ORIGINAL, false},
	{"*.engine", "a TensorRT engine, for one graphics card: " INSTEAD, false},
	{"*.plan", "a TensorRT engine, for one graphics card: " INSTEAD, false},
	{"openvino_model.xml", "an OpenVINO model, for Intel's engine: " INSTEAD, false},
	{"*.tflite", "a TensorFlow Lite model, for telephones: " INSTEAD, false},
	{"*.task", "a MediaPipe model, for telephones: " INSTEAD, false},
	{"*.litertlm", "a LiteRT model, for telephones: " INSTEAD, false},
	{"*.msgpack", "a Flax model: " INSTEAD, false},
	{"*.h5", "a Keras model (HDF5): " INSTEAD, false},
	{"*.pb", "a TensorFlow model: " INSTEAD, false},
	{"*.llamafile", "a llamafile, a program with a model in it: take the GGUF file of that model", false},
	{"*.ot", "a rust-bert model: " INSTEAD, false},
	{"*.nemo", "a NeMo archive: " INSTEAD, false},
	{"ggml*.bin", "a GGML file, as llama.cpp had before GGUF, which is not read: take a GGUF file of the model", false},
	{"*.bin", PICKLES, false}, {"*.pt", PICKLES, false}, {"*.pth", PICKLES, false}, {"*.ckpt", PICKLES, false},
	{"*.pkl", PICKLES, false}, {"*.pickle", PICKLES, false},
};

static bool has(const char *const *names, size_t n, const char *pattern)
{
	for (size_t i = 0; i < n; i++)
		if (matches(base_of(names[i]), pattern))
			return true;
	return false;
}

/* Mistral's own layout, of which the published files in the usual one are a second copy. */
static bool has_weights(const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (matches(base_of(names[i]), "*.safetensors") && !matches(base_of(names[i]), "consolidated*"))
			return true;
	return false;
}

const char *refused_files(const char *const *names, size_t n)
{
	bool has_safetensors = has_weights(names, n), has_gguf = has(names, n, "*.gguf");

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if ((kinds[i].always ? !has_gguf : !has_safetensors && !has_gguf) && has(names, n, kinds[i].pattern))
			return kinds[i].what;
	if (!has_safetensors && has(names, n, "consolidated*"))
		return "a model in Mistral's own layout (consolidated.safetensors, params.json): take the repository's files"
		       " model*.safetensors with config.json and tokenizer.json";
	if (!has_safetensors && has_gguf)
		return "there is a GGUF file here already, which needs no conversion: name that file";
	return NULL;
}

/* Where config.json does not say so. */
static const struct {
	const char *end, *what;
} tensors[] = {
	{".qweight", "the model is quantised by GPTQ or AWQ, whose weights are packed for GPUs: " ORIGINAL},
	{".qzeros", "the model is quantised by GPTQ or AWQ, whose weights are packed for GPUs: " ORIGINAL},
	{".g_idx", "the model is quantised by GPTQ, whose weights are packed for GPUs: " ORIGINAL},
	{".biases", "an MLX model, quantised for Apple's engine: " ORIGINAL},
	{".q_weight", "the model is quantised by EXL2, for ExLlama: " ORIGINAL},
	{".q_groups", "the model is quantised by EXL2, for ExLlama: " ORIGINAL},
	{".q_group_map", "the model is quantised by EXL2, for ExLlama: " ORIGINAL},
	{".q_invperm", "the model is quantised by EXL2, for ExLlama: " ORIGINAL},
	{".trellis", "the model is quantised by EXL3, for ExLlama: " ORIGINAL},
	{".suh", "the model is quantised by EXL3, for ExLlama: " ORIGINAL},
	{".svh", "the model is quantised by EXL3, for ExLlama: " ORIGINAL},
	{".SCB", "the model is quantised by bitsandbytes, whose layout belongs to its library: " ORIGINAL},
	{".absmax", "the model is quantised by bitsandbytes, whose layout belongs to its library: " ORIGINAL},
	{".weight_packed", "the model is quantised by compressed-tensors (llm-compressor) with packed integers: " ORIGINAL},
	{".lora_A.weight", "a LoRA adapter, which is not a model: merge it into its model and convert that"},
};

const char *refused_tensor(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		size_t n = strlen(tensors[i].end);

		if (len > n && strcmp(name + len - n, tensors[i].end) == 0)
			return tensors[i].what;
	}
	return NULL;
}

/* By quantization_config.quant_method. */
static const struct {
	const char *method, *what;
} methods[] = {
	{"gptq", "the model is quantised by GPTQ, whose weights are packed for GPUs: " ORIGINAL},
	{"gptq_marlin", "the model is quantised by GPTQ, whose weights are packed for GPUs: " ORIGINAL},
	{"awq", "the model is quantised by AWQ, whose weights are packed for GPUs: " ORIGINAL},
	{"auto-round", "the model is quantised by AutoRound, whose weights are packed for GPUs: " ORIGINAL},
	{"intel/auto-round", "the model is quantised by AutoRound, whose weights are packed for GPUs: " ORIGINAL},
	{"bitsandbytes", "the model is quantised by bitsandbytes, whose layout belongs to its library: " ORIGINAL},
	{"hqq", "the model is quantised by HQQ, whose layout belongs to its library: " ORIGINAL},
	{"aqlm", "the model is quantised by AQLM, whose codebooks are not read: " ORIGINAL},
	{"quip", "the model is quantised by QuIP, whose codebooks are not read: " ORIGINAL},
	{"vptq", "the model is quantised by VPTQ, whose codebooks are not read: " ORIGINAL},
	{"higgs", "the model is quantised by HIGGS, whose codebooks are not read: " ORIGINAL},
	{"spqr", "the model is quantised by SpQR, whose layout is not read: " ORIGINAL},
	{"quanto", "the model is quantised by Quanto, whose layout belongs to its library: " ORIGINAL},
	{"eetq", "the model is quantised by EETQ, whose weights are packed for GPUs: " ORIGINAL},
	{"torchao", "the model is quantised by torchao, whose layout belongs to its library: " ORIGINAL},
	{"exl2", "the model is quantised by EXL2, for ExLlama: " ORIGINAL},
	{"exl3", "the model is quantised by EXL3, for ExLlama: " ORIGINAL},
	{"bitnet", "the model's weights are packed as BitNet's, which is not converted: take a GGUF file of it in TQ2_0"},
	{"fbgemm_fp8", "the model is quantised by FBGEMM, whose layout is not read: " ORIGINAL},
};

/* compressed-tensors has many formats, of which those of FP8 without packing are read. */
static const char *refuse_compressed(const struct settings_tree *config)
{
	const char *format = settings_tree_text(config, "quantization_config.format", "");

	if (strcmp(format, "float-quantized") == 0 || strcmp(format, "naive-quantized") == 0)
		return NULL;
	if (strstr(format, "nvfp4"))
		return "the model is quantised as NVFP4 by compressed-tensors, which is not converted: " ORIGINAL;
	return "the model is quantised by compressed-tensors (llm-compressor) with packed integers: " ORIGINAL;
}

/* ModelOpt's FP8 has one scale a matrix, and that is all. */
static const char *refuse_modelopt(const struct settings_tree *config)
{
	return strcmp(settings_tree_text(config, "quantization_config.quant_algo", ""), "FP8") == 0
	               ? NULL
	               : "the model is quantised by NVIDIA's ModelOpt, of which only FP8 is read: " ORIGINAL;
}

const char *refused_config(const struct settings_tree *config)
{
	const char *method = settings_tree_text(config, "quantization_config.quant_method", NULL);

	if (settings_tree_get(config, "quantization.bits") || settings_tree_get(config, "quantization.group_size"))
		return "an MLX model, quantised for Apple's engine: " ORIGINAL;
	if (settings_tree_get(config, "peft_type"))
		return kinds[0].what;
	if (!method)
		return settings_tree_get(config, "quantization_config.quant_algo") ? refuse_modelopt(config)
		       : settings_tree_get(config, "quantization_config.load_in_4bit") ||
		                       settings_tree_get(config, "quantization_config.load_in_8bit")
		               ? "the model is quantised by bitsandbytes, whose layout belongs to its library: " ORIGINAL
		               : NULL;
	if (strcmp(method, "compressed-tensors") == 0)
		return refuse_compressed(config);
	if (strcmp(method, "modelopt") == 0)
		return refuse_modelopt(config);
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (strcasecmp(method, methods[i].method) == 0)
			return methods[i].what;
	return strcmp(method, "fp8") == 0 || strcmp(method, "mxfp4") == 0 || strcmp(method, "finegrained_fp8") == 0
	               ? NULL
	               : "the model is quantised in a way that is not known here: " ORIGINAL;
}
